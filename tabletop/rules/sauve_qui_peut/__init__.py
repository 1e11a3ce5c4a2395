"""Sauve qui peut: the crisis of morale, a module for any rule set that reports the bases an army loses.

A scenario switches it on by one option (``sauve_qui_peut``). A rule set with the module calls ``close_the_move`` at the
end of each move, passing a ``Host`` that says how it treats units, and reports losses and arrivals through
``common/base_losses``.
"""
