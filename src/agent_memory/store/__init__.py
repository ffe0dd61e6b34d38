"""The only I/O below the transports: a set of immutable revisions on a key-value store."""
