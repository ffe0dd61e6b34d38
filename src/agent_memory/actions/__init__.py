"""One file per action: its request, result, handler and registry row."""
