"""`python -m blimpgen`: the command line."""

from blimpgen.cli import main

if __name__ == "__main__":
    main()
