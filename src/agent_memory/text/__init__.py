"""Pure text work: chunking, packing, token estimates, urls, rendering recalled text as data."""
