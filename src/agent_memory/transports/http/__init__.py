"""The warm HTTP server: REST, the routes of the original service, and whatever is mounted beside them."""
