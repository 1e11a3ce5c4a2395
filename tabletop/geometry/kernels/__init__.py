"""Loops that numba compiles where it is installed and that run as written elsewhere, one small file each.

Each is the only statement of what it does. What several of them call stands in ``plane``, or in the file it belongs to
most: ``fast`` sees to it that kernels are made anew when any of these files changes.
"""
