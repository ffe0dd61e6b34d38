"""What a memory is: its vocabulary, its record and its revisions. No I/O."""
