"""Make a big virtual environment, once for each list of what it holds, and print its Python.

    python .ci/environment.py instruments torch==2.13.0 @test,instruments "--no-deps resemblyzer"

Each argument after the name is one step of pip; ``@`` stands for what setup.cfg asks for, with the
extras after it. The environment lies outside the checkout, so that checkouts share its gigabytes,
and synthkit itself is not in it.
"""

import configparser
import hashlib
import os
import shlex
import subprocess
import sys
import venv
from pathlib import Path

SETUP = Path(__file__).resolve().parent.parent / "setup.cfg"


def step(argument: str) -> list[str]:
    """What pip is told."""
    if not argument.startswith("@"):
        return shlex.split(argument)
    setup = configparser.ConfigParser()
    setup.read(SETUP, encoding="utf-8")
    extras = [setup["options.extras_require"][name] for name in argument[1:].split(",") if name]
    lists = (setup["options"]["install_requires"], *extras)
    return [line for text in lists for line in text.split("\n") if line and line[0] != "#"]


def environment(name: str, steps: list[list[str]]) -> Path:
    """The Python of the environment; made where it is not there yet."""
    key = hashlib.sha256(repr((sys.version, steps)).encode()).hexdigest()[:12]
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    folder = cache / "synthkit-make" / f"{name}-{key}"
    python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    done = folder / "installed"
    if not done.exists():
        print(f"installing into {folder}: once for this list", file=sys.stderr)
        venv.create(folder, clear=True, with_pip=True)
        pip = [python, "-m", "pip", "install", "-qq", "--disable-pip-version-check"]
        for packages in steps:
            subprocess.run([*pip, *packages], check=True, stdout=sys.stderr)
        done.touch()
    return python


if __name__ == "__main__":
    print(environment(sys.argv[1], [step(argument) for argument in sys.argv[2:]]))
