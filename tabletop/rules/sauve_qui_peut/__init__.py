"""Sauve qui peut: the crisis of morale, a module for any rule set that reports the bases an army loses.

A scenario switches it on by one option (``sauve_qui_peut``). The rule set that has it calls ``close_the_move`` at the
end of each move with what it does to a unit (``Host``); it reports losses and arrivals through ``common/base_losses``.
"""
