"""Networks in ONNX files: run by onnxruntime on one thread, since the thread count changes bits."""

from __future__ import annotations

from importlib.metadata import version
from pathlib import Path
from typing import Any

RUNTIME, FRONT_END = "onnxruntime", "hibari-tts"


def session(model: bytes | Path, seed: int | None = None) -> Any:
    """A session on the processor that computes ``model``, an ONNX file or its content.

    Where the network draws random numbers it is given a ``seed``: it then draws the same ones
    from its first run on, so it should speak one text and go. Such a session is not optimized:
    Piper's networks run as fast without, and load in a quarter of the time.
    """
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 3
    if seed is not None:
        # A random node's generator is made with its session, from this seed and its own number.
        onnxruntime.set_seed(seed % 2**31)
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    source = model if isinstance(model, bytes) else str(model)
    return onnxruntime.InferenceSession(source, options, providers=["CPUExecutionProvider"])


def software(engine_version: str) -> str:
    """What beside the model and the card decides the samples: code, front end, runtime."""
    others = ", ".join(f"{name} {version(name)}" for name in (FRONT_END, RUNTIME))
    return f"{engine_version} ({others})"
