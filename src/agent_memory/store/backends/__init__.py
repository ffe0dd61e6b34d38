"""The key-value stores that there are: Apify's, its folder on a local disk, SQLite and PostgreSQL."""
