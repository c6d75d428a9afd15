"""Instruments: what a signal sounds like to models and meters that synthkit itself does not need.

One file an instrument. Each takes mono float samples of shape (num_samples,), full scale 1.0, and
their sampling rate in Hz, and knows nothing of voices or sets.
"""
