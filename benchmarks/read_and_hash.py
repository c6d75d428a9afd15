"""Read and hash every WAV below a folder: the least that a check of a set can do."""

import hashlib
import sys
from pathlib import Path

import numpy
import scipy
import soundfile

assert numpy.__version__ and scipy.__version__  # what any check of sound files loads
for path in sorted(Path(sys.argv[1]).rglob("*.wav")):
    soundfile.read(path)
    hashlib.sha256(path.read_bytes()).hexdigest()
