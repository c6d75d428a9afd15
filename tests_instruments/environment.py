"""Make the instruments' virtual environment, once for each list of what it holds.

    python tests_instruments/environment.py torch==2.13.0

prints its Python. It lies outside the checkout, so that checkouts share its 2 GB, and synthkit
itself is not in it. The argument is what pip installs first: its torch, with options if need be.
"""

import configparser
import hashlib
import os
import shlex
import subprocess
import sys
import venv
from pathlib import Path

RESEMBLYZER = "resemblyzer==0.1.4"  # without its requirements: one of them has to be compiled
SETUP = Path(__file__).resolve().parent.parent / "setup.cfg"


def requirements() -> list[str]:
    """What setup.cfg lists for synthkit, its tests and its instruments."""
    setup = configparser.ConfigParser()
    setup.read(SETUP, encoding="utf-8")
    extras = setup["options.extras_require"]
    lists = (setup["options"]["install_requires"], extras["test"], extras["instruments"])
    return [line for text in lists for line in text.split("\n") if line and line[0] != "#"]


def environment(torch: str) -> Path:
    """The Python of the environment; made where it is not there yet."""
    steps = [shlex.split(torch), requirements(), ["--no-deps", RESEMBLYZER]]
    name = hashlib.sha256(repr((sys.version, steps)).encode()).hexdigest()[:12]
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    folder = cache / "synthkit-make" / f"instruments-{name}"
    python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    done = folder / "installed"
    if not done.exists():
        print(f"installing into {folder}: 2 GB, once for this list", file=sys.stderr)
        venv.create(folder, clear=True, with_pip=True)
        pip = [python, "-m", "pip", "install", "-qq", "--disable-pip-version-check"]
        for step in steps:
            subprocess.run([*pip, *step], check=True, stdout=sys.stderr)
        done.touch()
    return python


if __name__ == "__main__":
    print(environment(" ".join(sys.argv[1:])))
