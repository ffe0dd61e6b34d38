"""Pure rules of a memory's life: decay, retention, duplicates, merging of changes."""
