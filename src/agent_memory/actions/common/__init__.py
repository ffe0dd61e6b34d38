"""What several actions share; no action imports another."""
