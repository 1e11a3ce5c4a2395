"""Loops that numba compiles where it is installed, one small file each; ``fast`` says when they may be used.

Each has a twin in plain numpy, which calls it when it is ready and gives the same answers when it is not. What
several of them call stands in ``plane``, or in the file it belongs to most: ``fast`` sees to it that kernels are made
anew when any of these files changes.
"""
