"""Pure safety rules: where text came from and how far it is trusted."""
