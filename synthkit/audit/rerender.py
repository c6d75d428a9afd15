"""What a field makes of the speech in another field's file: by the recipe, not by the manifest."""

from __future__ import annotations

import math
from dataclasses import dataclass

from synthkit.audio import SAMPLING_RATE, Audio, Samples, num_samples_of
from synthkit.audit.items import DRY, Bindings, Placed, Response
from synthkit.chains import fields, finish
from synthkit.errors import SynthkitError
from synthkit.fields import Field
from synthkit.recipe import Recipe
from synthkit.renderers.base import Chain
from synthkit.renderers.level import Level
from synthkit.renderers.lowpass import LowPass
from synthkit.renderers.postwindow import TAPER_MS
from synthkit.rooms.simulate import impulse_response


@dataclass(frozen=True)
class Chains:
    """The chains of a recipe's fields, by name and levels of the variables they use."""

    fields: dict[tuple[str, Bindings], Field]
    finish: Chain

    @classmethod
    def of(cls, recipe: Recipe) -> Chains:
        """The chains of a recipe; :class:`InputError` where they cannot be built."""
        return cls(fields(recipe), finish(recipe))

    @property
    def dry(self) -> frozenset[str]:
        """Fields that are the conditioned speech itself."""
        return frozenset(name for (name, _), field in self.fields.items() if not field.renderers)

    @property
    def level_dbfs(self) -> float | None:
        """The RMS level that every part is brought to at last; None where there is none."""
        last = self.finish.renderers[-1]
        return last.dbfs if isinstance(last, Level) else None

    @property
    def lowpassed(self) -> dict[str, float]:
        """The cutoff, in Hz, of each field with a low-pass in its chain."""
        return {
            name: renderer.cutoff
            for (name, _), field in self.fields.items()
            for renderer in field.renderers
            if isinstance(renderer, LowPass)
        }

    def response(self, field: str, bindings: Bindings) -> Response | None:
        """The first room of a field, simulated or read anew."""
        found = self.fields.get((field, bindings))
        if found is None:
            return None
        if not found.rooms:
            return DRY
        room = found.rooms[0]
        rir = impulse_response(room.heard, room.place, SAMPLING_RATE)
        known = rir.acoustics
        return Response(
            rir.sha256,
            math.inf if known.c50 is None else known.c50,
            math.inf if known.drr is None else known.drr,
        )

    def alike(self, one: Placed, other: Placed) -> tuple[Samples, Samples] | None:
        """Two stretches that are one sound, but for a gain, if both parts come of one source.

        A dry part goes through all that made the other, with its level and limiter, and then is
        the other, to the rounding of 16 bits. Where neither is dry each goes through the other's
        chain: speech through room A and then B is speech through B and then A. None where a
        chain is not known or refuses.
        """
        try:
            chains = [self.fields[placed.field, placed.bindings] for placed in (one, other)]
        except KeyError:
            return None
        try:
            if not chains[0].renderers:
                return self.finish(chains[1](_audio(one))).samples, other.samples
            if not chains[1].renderers:
                return self.finish(chains[0](_audio(other))).samples, one.samples
            end = min(_untapered(one), _untapered(other))
            return chains[1](_audio(one)).samples[:end], chains[0](_audio(other)).samples[:end]
        except SynthkitError:
            return None


def _audio(placed: Placed) -> Audio:
    return Audio(placed.samples, SAMPLING_RATE, placed.window)


def _untapered(placed: Placed) -> int:
    """Up to where the part's own taper begins, which comes after its chain."""
    taper = num_samples_of(TAPER_MS, SAMPLING_RATE)
    return max(placed.window.end, len(placed.samples) - taper)
