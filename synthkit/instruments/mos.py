"""Naturalness: opinion scores predicted by DNSMOS."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from synthkit.instruments.packages import package
from synthkit.instruments.signal import Signal, signal

PURPOSE = "DNSMOS"
STRETCH_S = 9.1  # the model hears 9.01 s


@dataclass(frozen=True)
class Mos:
    """Predicted mean opinion scores, 1 to 5: P.835 overall, speech, background; P.808 overall."""

    ovrl: float
    sig: float
    bak: float
    p808: float


def mos(clips: Iterable[ArrayLike], sampling_rate: int) -> Mos:
    """Return the mean scores of ``clips``, each (num_samples,) at 16 kHz.

    Clips are joined, in order, into stretches of 9.1 s or more, which are scored one by one; what
    remains counts only, repeated, where there is no full stretch. DNSMOS P.835 and P.808 (Reddy et
    al., 2021 and 2022) as packaged in speechmos, on one thread.
    """
    scorer = _scorer()
    found = [scorer(clip, sampling_rate, False) for clip in _stretches(clips, sampling_rate)]
    keys = ("ovrl_mos", "sig_mos", "bak_mos", "p808_mos")
    return Mos(*(float(np.mean([scores[key] for scores in found])) for key in keys))


def _stretches(clips: Iterable[ArrayLike], sampling_rate: int) -> list[Signal]:
    done: list[Signal] = []
    waiting: list[Signal] = []
    for clip in clips:
        waiting.append(signal(clip, sampling_rate))
        if sum(part.size for part in waiting) > STRETCH_S * sampling_rate:
            done.append(np.concatenate(waiting))
            waiting = []
    return done or [np.resize(np.concatenate(waiting), round(STRETCH_S * sampling_rate))]


@cache
def _scorer() -> Any:
    """speechmos's scorer, its sessions made again on one thread."""
    dnsmos = package("speechmos.dnsmos", PURPOSE)
    ort = package("onnxruntime", PURPOSE)
    options = ort.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    folder = Path(dnsmos.__file__).parent / "dnsmos_models"
    models = [str(folder / name) for name in ("sig_bak_ovr.onnx", "model_v8.onnx")]
    scorer = dnsmos.DNSMOS(*models)
    scorer.onnx_sess, scorer.p808_onnx_sess = (
        ort.InferenceSession(model, options, providers=["CPUExecutionProvider"]) for model in models
    )
    return scorer
