"""Many games of one battle between players who need nobody at the table: played, counted, and the same wherever played.

``game`` is one game from its seed to what came of it, ``figures`` what many of them come to, ``crew`` plays them on the
processors of this machine, ``cluster`` on those of others.
"""
