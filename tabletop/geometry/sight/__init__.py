"""Sight: what hinders it, the law that says whether a line is clear, and the searches that ask the law.

The law: ``obstruction`` (what hinders, packed), ``law`` (THE law), ``line`` (reasons and side view), ``friends`` (units
in the line of fire), ``relevant_rulings`` (which readings of the law bear on two footprints).

From unit to unit: ``cells`` and ``cell_pair`` (parts on which nothing about a line's end changes), ``shortest`` (over
all pairs of them), ``bundle``, ``bounds`` and ``search`` (branch and bound within a pair), ``nearby_line`` (a quick
yes), ``blocking_proof`` (a quick no in a series), ``blocked`` (the reason for a no), ``unproved``.

Ground seen: ``ray_marks``, ``visibility`` (from one eye), ``chosen_views`` and ``field_of_view`` (from many).

Cover: ``past_obstacles`` (does some line pass beside them all), ``parallel_lines`` (lines equally short).
"""
