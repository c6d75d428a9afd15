"""What docs/security.md says of code, shells, pickles and the network, held against the source."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import synthkit

PACKAGE = Path(synthkit.__file__).parent
TREES = {
    path.relative_to(PACKAGE).as_posix(): ast.parse(path.read_text(encoding="utf-8"))
    for path in sorted(PACKAGE.rglob("*.py"))
}
COMMAND, COQUI = "speech/engines/command/process.py", "speech/engines/coqui/__init__.py"
# Who may import what could start a program, open a connection or run what a file says.
IMPORTERS: dict[str, set[str]] = {
    "subprocess": {COMMAND, COQUI},
    "urllib.request": {"speech/engines/http/request.py"},
    "http.client": {"speech/engines/http/request.py"},
    **{name: set() for name in ("pickle", "marshal", "shelve", "dill", "cloudpickle", "joblib")},
    **{name: set() for name in ("yaml", "runpy", "code", "ctypes", "pty")},
    **{name: set() for name in ("socket", "ftplib", "requests", "httpx")},
}


def imported(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            yield node.module or ""
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def calls(name: str) -> list[tuple[str, dict[str, ast.expr]]]:
    """Modules that call ``name``, and the call's keywords."""
    return [
        (module, {k.arg or "": k.value for k in node.keywords})
        for module, tree in TREES.items()
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and ast.unparse(node.func) == name
    ]


@pytest.mark.parametrize("name", IMPORTERS)
def test_few_modules_start_programs_or_connect_and_none_unpickles(name: str) -> None:
    assert {module for module, tree in TREES.items() if name in imported(tree)} == IMPORTERS[name]


@pytest.mark.parametrize("name", ["eval", "exec", "compile", "__import__", "os.system", "os.popen"])
def test_nothing_is_evaluated_and_no_shell_is_asked(name: str) -> None:
    assert calls(name) == []


def test_programs_get_arguments_and_never_a_shell() -> None:
    started = [*calls("subprocess.Popen"), *calls("subprocess.run")]
    assert {module for module, _ in started} == {COMMAND, COQUI}
    assert all("shell" not in keywords for _, keywords in started)


def test_arrays_and_checkpoints_are_read_without_pickles() -> None:
    assert calls("np.load")
    assert all("allow_pickle" not in keywords for _, keywords in calls("np.load"))
    assert calls("torch.load")
    for _, keywords in calls("torch.load"):
        assert ast.unparse(keywords["weights_only"]) == "True"


def test_modules_are_found_by_name_in_four_places_that_know_their_names() -> None:
    assert {module for module, _ in calls("importlib.import_module")} == {
        "__init__.py",
        "executors.py",
        "speech/engines/__init__.py",
        "instruments/packages.py",
    }
