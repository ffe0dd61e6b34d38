"""`python -m agent_memory` runs the Actor."""

from .main import main

if __name__ == "__main__":
    main()
