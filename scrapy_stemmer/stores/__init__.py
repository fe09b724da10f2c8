"""Where patterns live."""
