"""What every stage uses: errors, files, folders, data files with their lines, codes, and the shape of a record."""
