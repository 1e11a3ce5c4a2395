"""Sight: what blocks it, the law that decides whether a line is clear, and the searches that apply the law.

The law: ``obstruction`` (obstructions, packed), ``law`` (the law itself), ``line`` (reasons and side view), ``friends``
(units in the line of fire), ``relevant_rulings`` (which readings of the law matter between two footprints).

From unit to unit: ``cells`` and ``cell_pair`` (convex cells on which everything about a line's end is constant),
``shortest`` (over all pairs of them), ``bundle``, ``bounds`` and ``search`` (branch and bound within a pair),
``nearby_line`` (a quick yes), ``blocking_proof`` (a quick no in a series), ``blocked`` (the reason for a no),
``unproved``.

Ground seen: ``ray_marks``, ``visibility`` (from one eye), ``chosen_views`` and ``field_of_view`` (from many).

Cover: ``past_obstacles`` (does some line pass beside them all), ``parallel_lines`` (lines equally short).
"""
