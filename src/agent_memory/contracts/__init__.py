"""Schemas and docs derived from the registry of actions."""
