"""Loops that numba compiles where it is installed, one small file each; ``fast`` says when they may be used.

Each has a twin in plain numpy, which calls it when it is ready and gives the same answers when it is not. What a kernel
calls stands in its own file: numba keeps what it compiled until that file changes, and looks at no other.
"""
