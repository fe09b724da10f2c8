"""The Python from which the native modules were written; ``tests/engine`` compares both. It stays unchanged."""
