"""Movement over ground: what moves cost, where they may go, and the ground in reach.

The law: ``cost`` (the one formula), ``ground`` (rough ground, roads, obstacles, choke-points, impassable ground),
``crossing``, ``choke_points``, ``choke_exemption``.

One move: ``motion`` (what each base does), ``sweep`` and ``motion_cost`` (what it meets and costs), ``clearance`` (what
it comes too near to), ``turning``.

Straight advances, many at once: ``advance_directions``, ``advances``, ``advance_contact``, ``advance_cost``,
``farthest_advance``, ``choke_crossings``, with ``swept_strips``, ``stretches``, ``bearing_index`` and ``nearby_edges``.

Searches: ``move_context`` (the mover and everything that affects its move), ``turning_points``, ``sample_points``,
``cost_field``, ``route`` (the cheapest path), ``reach`` with ``advance_area`` and ``better_waypoints``.

Moves without turning: ``configuration_space``, ``fall_back``, ``fall_back_beyond``, ``leg_cost``, ``first_contact``.
Lines without a body: ``line_cost``, ``line_reach``.
"""
