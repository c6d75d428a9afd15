"""Renderers: one small effect a file, ``Audio -> Audio``; see ``base`` for what they share."""
