"""Loops that numba compiles where it is installed and that run as Python elsewhere, one small file each.

No loop has a second implementation. Helpers shared by several kernels are in ``plane``, or in the file they mostly
belong to: ``fast`` recompiles the kernels when any of these files changes.
"""
