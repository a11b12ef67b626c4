"""What the program knows of English: inflection, and the shape of syllables."""
