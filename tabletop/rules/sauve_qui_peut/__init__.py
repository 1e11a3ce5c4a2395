"""Sauve qui peut: the crisis of morale, a module for any rule set that reports the bases an army loses.

A scenario switches it on by one option (``sauve_qui_peut``). No rule set imports it: it attaches by its record
(``module.MODULE``) to those that call the hooks of ``common/modules``.
"""
