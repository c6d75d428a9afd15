"""A tiny VITS of two speakers with random weights, built and saved by coqui itself."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from synthkit.speech.cards import VoiceCard

LETTERS = "abcdefghijklmnopqrstuvwxyz"
CARD = """\
name = "{speaker}"
description = "random weights"
engine = "coqui"
language = "en-US"
checkpoint = "tiny-vits"
processing = "vits"
code_license = "MPL-2.0"
voice_license = "CC0-1.0"
attribution = "nobody"

[parameters]
path = "../model"
speaker = "{speaker}"
"""


def save_vits(folder: Path, seed: int, **settings: object) -> None:
    """Write ``model.pth`` and ``config.json`` of a network with the weights of ``seed``."""
    import torch
    from TTS.tts.configs.shared_configs import CharactersConfig
    from TTS.tts.configs.vits_config import VitsConfig
    from TTS.tts.models.vits import Vits, VitsArgs

    arguments = VitsArgs(
        use_speaker_embedding=True,
        speaker_embedding_channels=16,
        init_discriminator=False,
        hidden_channels=16,
        hidden_channels_ffn_text_encoder=32,
        num_layers_text_encoder=2,
        num_layers_posterior_encoder=2,
        num_layers_flow=2,
        upsample_initial_channel_decoder=64,
    )
    values: dict[str, object] = {
        "model_args": arguments,
        "characters": CharactersConfig(
            characters_class="TTS.tts.models.vits.VitsCharacters",
            pad="_",
            eos="",
            bos="",
            blank="",
            characters=LETTERS,
            punctuations="!,.? ",
            phonemes="",
        ),
        "text_cleaner": "english_cleaners",
        "speakers": ["ann", "bob"],
        **settings,
    }
    with torch.random.fork_rng(devices=[]):
        torch.default_generator.manual_seed(seed)
        network = Vits(VitsConfig(**values))
        # As it is made, a vocoder's last layer is all but silent; loud enough to saturate its
        # tanh, its peaks stay near the rest and crest control can take them.
        network.waveform_decoder.conv_post.weight.data.normal_(std=8.0)
        folder.mkdir(parents=True, exist_ok=True)
        torch.save({"model": network.state_dict()}, folder / "model.pth")
        network.config.save_json(str(folder / "config.json"))


@pytest.fixture(scope="session", autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """The tests keep no speech in the user's cache, and find none there."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SYNTHKIT_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture(scope="session")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the model and a cast of two cards that speak with it."""
    home = tmp_path_factory.mktemp("home")
    save_vits(home / "model", seed=1)
    (home / "tiny").mkdir()
    for speaker in ("ann", "bob"):
        (home / "tiny" / f"{speaker}.toml").write_text(CARD.format(speaker=speaker))
    return home


@pytest.fixture(scope="session")
def card(home: Path) -> Callable[..., VoiceCard]:
    """Make a card of that model with the parameters given."""

    def make(**parameters: object) -> VoiceCard:
        return VoiceCard(
            id="tiny/ann",
            name="Ann",
            description="",
            engine="coqui",
            language="en-US",
            checkpoint="tiny-vits",
            processing="vits",
            code_license="MPL-2.0",
            voice_license="CC0-1.0",
            attribution="nobody",
            parameters={"path": str(home / "model"), "speaker": "ann", **parameters},
            folder=home / "tiny",
        )

    return make


@pytest.fixture(scope="session")
def without_speaker(card: Callable[..., VoiceCard]) -> VoiceCard:
    """A card that leaves the speaker open."""
    made = card()
    return dataclasses.replace(made, parameters={"path": made.parameters["path"]})


def save_xtts(folder: Path, seed: int) -> None:
    """Write an XTTS with the weights of ``seed``, its vocabulary and the speakers eve and fay."""
    import torch
    from tokenizers import Tokenizer
    from tokenizers.models import BPE
    from TTS.tts.configs.xtts_config import XttsArgs, XttsConfig
    from TTS.tts.layers.xtts.tokenizer import VoiceBpeTokenizer
    from TTS.tts.models.xtts import Xtts

    special = ["[STOP]", "[UNK]", "[SPACE]", "[START]", "[en]"]
    letters = [*special, *LETTERS, *"!,.?"]
    vocabulary = Tokenizer(BPE({c: i for i, c in enumerate(letters)}, [], unk_token="[UNK]"))
    vocabulary.add_special_tokens(special)
    folder.mkdir(parents=True)
    vocabulary.save(str(folder / "vocab.json"))
    arguments = XttsArgs(
        gpt_layers=1,
        gpt_n_model_channels=64,
        gpt_n_heads=2,
        gpt_max_audio_tokens=40,  # random weights hardly ever stop by themselves
        decoder_input_dim=64,
    )
    with torch.random.fork_rng(devices=[]):
        torch.default_generator.manual_seed(seed)
        network = Xtts(XttsConfig(model_args=arguments))
        network.tokenizer = VoiceBpeTokenizer(folder / "vocab.json")
        network.init_models()
        torch.save({"model": network.state_dict()}, folder / "model.pth")
        network.config.save_json(str(folder / "config.json"))
        speakers = {
            name: {
                "gpt_cond_latent": torch.randn(1, 32, 64),
                "speaker_embedding": torch.randn(1, 512, 1),
            }
            for name in ("eve", "fay")
        }
        torch.save(speakers, folder / "speakers_xtts.pth")
