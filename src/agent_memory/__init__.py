"""Agent Memory: long-term memory for AI agents, as an Apify Actor."""

__version__ = "0.1.0"
