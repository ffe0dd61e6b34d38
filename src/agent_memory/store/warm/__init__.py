"""Stores that a long-living process keeps in memory and fresh: only what has changed is read."""
