"""The ways in: each turns its own wire form into run_action and back."""
