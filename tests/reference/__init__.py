"""The Python from which the native modules were written, compared in ``tests/engine``. The modules never change."""
