"""MCP: the same tools over stdio and over HTTP."""
