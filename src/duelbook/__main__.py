"""`python -m duelbook`."""

from duelbook.cli import main

if __name__ == "__main__":
    main()
