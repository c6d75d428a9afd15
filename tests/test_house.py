"""The shape of the package: small modules, imports one way along the pipeline, light start."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from pathlib import Path

import pytest

import synthkit
from synthkit.resources import folder

PACKAGE = Path(synthkit.__file__).parent
MODULES = sorted(PACKAGE.rglob("*.py"))

# The pipeline, ground floor first: a module may import what stands on floors below its own.
FLOORS = [
    ["errors", "executors", "resources"],
    ["ids", "keys", "licensing", "files"],
    [
        "schemas",
        "audio",
        "sums",
        "csvrows",
        "soundheaders",
        "instruments.packages",
        "instruments.slots",
        "instruments.words",
    ],
    ["levels", "kweighting", "soundfiles", "instruments.signal"],
    ["instruments", "loudness"],
    ["wav", "rooms.geometry", "rooms.acoustics", "speech.cards", "speech.english"],
    ["speech.text", "speech.cache", "speech.onnx"],
    ["speech.phonemes"],
    ["clip", "rooms.materials", "rooms.measured"],
    ["rooms.cards"],
    ["rooms.simulate"],
    ["rooms.table", "renderers.base"],
    ["rooms.picture", "renderers.limiter", "renderers.highpass", "renderers.fir"],
    ["renderers.grid16", "renderers.activity"],
    ["renderers"],
    ["renderers.gain"],
    ["beds.crossfade", "beds.noise", "beds.mix"],
    ["beds.pink", "beds.room_tone", "beds.babble", "beds.file"],
    ["beds.spec"],
    ["beds.make"],
    ["beds"],
    ["speech.base"],
    [
        "speech.engines.command.process",
        "speech.engines.coqui.catalogue",
        "speech.engines.hibari.timbre",
        "speech.engines.http.request",
        "speech.engines.piper.espeak_ipa",
    ],
    ["speech.engines.coqui.models", "speech.engines.hibari.rhythm"],
    ["speech.engines"],
    ["speech.voice", "speech.bank"],
    ["speech.audit.sentences"],
    ["speech.audit.casts", "speech.audit.hear"],
    ["speech.audit.cast"],
    ["speech.audit.voices"],
    ["speech.audit.limits"],
    ["speech.audit.table", "speech.audit.picture", "speech.audit.record"],
    ["speech.audit"],
    ["scripts.commands", "scripts.inventory", "scripts.paths"],
    ["scripts.talk", "scripts.templates", "scripts.texts", "scripts.vocabulary"],
    ["scripts.amounts", "scripts.duplicates", "scripts.imperatives"],
    ["scripts.actions"],
    ["scripts.params", "scripts.sentences"],
    ["scripts.check"],
    ["scripts.generator"],
    ["scripts.llm"],
    ["scripts.summary"],
    ["scripts.prompts", "scripts.side_talk", "scripts.self_talk"],
    ["scripts.sheet"],
    ["scripts"],
    ["stand_ins"],
    ["grids", "casting", "fields"],
    ["variables", "dealing", "slots"],
    ["recipe"],
    ["chains", "assignments"],
    ["selection"],
    ["plan"],
    ["rendered"],
    ["render"],
    ["manifest", "recipe_copy", "plan_rows"],
    ["scripts.items"],
    ["scripts.split"],
    ["scripts.split_files"],
    ["dataset"],
    ["measure.activity", "measure.found", "measure.loaded"],
    ["measure.readings", "measure.segments"],
    ["measure.file"],
    ["measure.times", "measure.record", "measure.adopt"],
    ["measure.manifests", "measure.table"],
    ["measure.run"],
    ["measure"],
    ["verify.findings", "verify.soundformat"],
    ["verify.samples", "verify.rows", "verify.contrasts", "verify.folder", "verify.sums"],
    ["verify.files"],
    ["verify.adopted"],
    ["verify.run", "report"],
    ["verify"],
    ["audit.findings", "audit.items", "audit.tables", "audit.likeness", "audit.statistics"],
    ["audit.frames", "audit.chance", "audit.rerender", "audit.foreign", "audit.readings"],
    ["audit.rowparts"],
    ["audit.polarity"],
    ["audit.decay", "audit.spectrum", "audit.surroundings", "audit.waveform", "audit.sounds"],
    ["audit.meters", "audit.ours", "audit.parts", "audit.dealt", "audit.pairing", "audit.voices"],
    ["audit.even"],
    ["audit.partpairs", "audit.renderings"],
    ["audit.balance", "audit.contrasts", "audit.design", "audit.judging"],
    ["audit.leakage", "audit.manipulations", "audit.probes", "audit.text_leak", "audit.ears"],
    ["audit.utterances"],
    ["audit.identified", "audit.recognised", "audit.sources"],
    ["audit.heardrows"],
    ["audit.hearing"],
    ["audit.checks"],
    ["audit.report"],
    ["audit.run", "audit.table"],
    ["audit"],
    ["generate.journal"],
    ["generate.finish", "generate.shards", "generate.work"],
    ["generate.folder"],
    ["generate.merge", "generate.run"],
    ["generate"],
    ["importing.items"],
    ["importing.limits", "importing.review", "importing.words"],
    ["importing.match", "importing.standins", "importing.take"],
    ["importing.output"],
    ["importing.record"],
    ["importing.run"],
    ["importing"],
    ["compose"],
    ["cli.base"],
    [
        "cli.audit",
        "cli.generate",
        "cli.import_",
        "cli.report",
        "cli.voices",
        "cli.rooms",
        "cli.cache",
        "cli.compose",
        "cli.verify",
        "cli.measure",
        "cli.scripts",
    ],
    ["cli"],
    ["__main__"],
]
FLOOR = {name: number for number, names in enumerate(FLOORS) for name in names}


def dotted(path: Path) -> str:
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def floor(module: str) -> int:
    """The floor of a module, or of the folder it lies in."""
    while module not in FLOOR:
        assert "." in module, f"{module} has no floor yet: give it one in FLOORS"
        module = module.rpartition(".")[0]
    return FLOOR[module]


def imports(path: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "synthkit":
            base = (node.module or "").removeprefix("synthkit").removeprefix(".")
            for alias in node.names:
                inner = f"{base}.{alias.name}" if base else alias.name
                is_module = (PACKAGE / inner.replace(".", "/")).with_suffix(".py").exists() or (
                    PACKAGE / inner.replace(".", "/")
                ).is_dir()
                found.add(inner if is_module else base)
    return found - {"", dotted(path)}


@pytest.mark.parametrize("path", MODULES, ids=dotted)
def test_a_module_is_300_lines_at_most(path):
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 300


@pytest.mark.parametrize("path", [m for m in MODULES if dotted(m)], ids=dotted)
def test_imports_run_one_way(path):
    for imported in imports(path):
        assert floor(imported) < floor(dotted(path)), f"{dotted(path)} imports {imported}"


HEAVY = (
    "matplotlib numpy scipy soundfile soxr onnxruntime hibari pyroomacoustics pyloudnorm "
    "jsonschema jsonschema_rs tqdm torch librosa resemblyzer faster_whisper speechmos"
)


@pytest.mark.parametrize(
    "code",
    [
        "import synthkit",
        "import synthkit.cli",
        "from click.testing import CliRunner as R; from synthkit.cli import main\n"
        "assert R().invoke(main, ['--help']).exit_code == 0\n"
        "assert R().invoke(main, ['generate', '--help']).exit_code == 0\n"
        "assert R().invoke(main, ['verify', '--help']).exit_code == 0\n"
        "assert R().invoke(main, ['measure', '--help']).exit_code == 0\n"
        "assert R().invoke(main, ['voices', 'audit', '--help']).exit_code == 0",
    ],
    ids=["import", "cli", "help"],
)
def test_import_and_help_load_nothing_heavy(code):
    show = "import sys, json; print(json.dumps(sorted({m.split('.')[0] for m in sys.modules})))"
    run = subprocess.run(
        [sys.executable, "-c", f"{code}\n{show}"], capture_output=True, text=True, check=True
    )
    assert set(json.loads(run.stdout)) & set(HEAVY.split()) == set()


def test_every_export_is_there():
    for name in synthkit.__all__:
        assert getattr(synthkit, name) is not None
    with pytest.raises(AttributeError):
        synthkit.nothing  # noqa: B018


def test_every_engine_has_a_schema_for_its_parameters():
    from synthkit import schemas
    from synthkit.speech.engines import names

    assert set(names()) == set(schemas.engines())


def test_every_card_that_comes_along_loads():
    from synthkit.rooms.cards import presets, room
    from synthkit.speech.cards import voice_card, voices

    assert {"heart/mom", "heart/dad", "heart/teenf", "heart/tvhost", "joe/joe"} <= set(voices())
    kinds: dict[str, set[tuple[str, str, str]]] = {}
    for name in voices():
        kinds.setdefault(name.split("/")[0], set()).add(voice_card(name).kind)
    # Voices of one cast make a fair pair, those of two do not.
    assert all(len(kind) == 1 for kind in kinds.values())
    assert len(set.union(*kinds.values())) == len(kinds)
    assert "living_room" in presets()
    for name in presets():
        assert room(name).places
    for path in folder("schema").glob("*.json"):
        json.loads(path.read_text(encoding="utf-8"))
