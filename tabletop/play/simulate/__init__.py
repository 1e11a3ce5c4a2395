"""Many games of one battle between computer players, played and counted with the same results on any machine.

``game`` plays one game from its seed to its result, ``figures`` sums up the results of many, ``crew`` plays them on the
processors of this machine, ``cluster`` on those of others.
"""
