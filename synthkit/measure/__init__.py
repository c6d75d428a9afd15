"""Measure: what meters read in anybody's sound files, and where speech and pauses lie in them."""
