"""Pure ranking: which memories answer a query, in which order, and how sure that is."""
