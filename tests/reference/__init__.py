"""The Python that the native modules were written from; ``tests/engine`` holds them to it.

It is not changed any more.
"""
