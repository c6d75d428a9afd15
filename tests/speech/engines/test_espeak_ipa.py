"""Phonemes in espeak-ng's IPA: as the program itself writes them.

The expected strings are what espeak-ng 1.51 prints: ``espeak-ng -q --ipa -v en-us "..."`` (en-gb).
"""

from __future__ import annotations

import pytest

from synthkit.speech.engines.piper.espeak_ipa import espeak_ipa
from synthkit.speech.phonemes import phonemes

AMERICAN_WORDS = """
    about ɐbˈaʊt, happy hˈæpi, see sˈiː, idea aɪdˈiə, bird bˈɜːd, hurry hˈɜːɹi, door dˈoːɹ,
    north nˈɔːɹθ, story stˈoːɹi, hair hˈɛɹ, here hˈɪɹ, tour tˈʊɹ, button bˈʌʔn̩, sudden sˈʌdən,
    little lˈɪɾəl, water wˈɔːɾɚ, party pˈɑːɹɾi, roses ɹˈoʊzᵻz, judge dʒˈʌdʒ, church tʃˈɜːtʃ,
    measure mˈɛʒɚ, thing θˈɪŋ, this ðˈɪs, boy bˈɔɪ, house hˈaʊs, time tˈaɪm, late lˈeɪt,
    home hˈoʊm, good ɡˈʊd, food fˈuːd, cup kˈʌp, cat kˈæt, bed bˈɛd, hot hˈɑːt, caught kˈɔːt,
    father fˈɑːðɚ, fire fˈaɪɚ, hour ˈaʊɚ, over ˈoʊvɚ, apple ˈæpəl, photo fˈoʊɾoʊ, video vˈɪdɪoʊ,
    area ˈɛɹiə, music mjˈuːzɪk, few fjˈuː, argue ˈɑːɹɡjuː, song sˈɔŋ, off ˈɔf, kitten kˈɪʔn̩,
    cities sˈɪɾiz, yellow jˈɛloʊ, yesterday jˈɛstɚdˌeɪ, remind ɹᵻmˈaɪnd, decide dᵻsˈaɪd
"""
AMERICAN_SENTENCES = """
    Turn off the kitchen lights | tˈɜːn ˈɔf ðə kˈɪtʃən lˈaɪts
    Remind me to water the plants in the morning | ɹᵻmˈaɪnd mˌiː tə wˈɔːɾɚ ðə plˈænts ɪnðə mˈɔːɹnɪŋ
    Call my sister after dinner tonight | kˈɔːl maɪ sˈɪstɚɹ ˈæftɚ dˈɪnɚ tənˈaɪt
    Cancel the meeting with the new manager | kˈænsəl ðə mˈiːɾɪŋ wɪððə nˈuː mˈænɪdʒɚ
    Take a note that the car needs new tires | tˈeɪk ɐ nˈoʊt ðætðə kˈɑːɹ nˈiːdz nˈuː tˈaɪɚz
    Ask the neighbors to bring back the ladder | ˈæsk ðə nˈeɪbɚz tə bɹˈɪŋ bˈæk ðə lˈædɚ
    Find the window in the house | fˈaɪnd ðə wˈɪndoʊ ɪnðə hˈaʊs
    Check if the back window is still open | tʃˈɛk ɪf ðə bˈæk wˈɪndoʊ ɪz stˈɪl ˈoʊpən
"""
BRITISH_WORDS = """
    about ɐbˈaʊt, happy hˈapi, see sˈiː, idea aɪdˈiə, bird bˈɜːd, hurry hˈʌɹi, door dˈɔː,
    hair hˈeə, here hˈiə, tour tˈʊə, bottle bˈɒtəl, water wˈɔːtə, party pˈɑːti, roses ɹˈəʊzɪz,
    judge dʒˈʌdʒ, church tʃˈɜːtʃ, measure mˈɛʒə, thing θˈɪŋ, boy bˈɔɪ, house hˈaʊs, time tˈaɪm,
    late lˈeɪt, home hˈəʊm, good ɡˈʊd, food fˈuːd, cup kˈʌp, cat kˈat, hot hˈɒt, caught kˈɔːt,
    father fˈɑːðə, fire fˈaɪə, over ˈəʊvə, few fjˈuː, song sˈɒŋ
"""
BRITISH_SENTENCES = """
    Cancel the meeting with the new manager | kˈansəl ðə mˈiːtɪŋ wɪððə njˈuː mˈanɪdʒə
    Take a note that the car needs new tires | tˈeɪk ɐ nˈəʊt ðatðə kˈɑː nˈiːdz njˈuː tˈaɪəz
    Lower the fan in the guest room | lˈəʊə ðə fˈan ɪnðə ɡˈɛst ɹˈuːm
    Turn the heating down in the bedroom | tˈɜːn ðə hˈiːtɪŋ dˌaʊn ɪnðə bˈɛdɹuːm
    Check if the back window is still open | tʃˈɛk ɪf ðə bˈak wˈɪndəʊ ɪz stˈɪl ˈəʊpən
"""


def pairs(words: str, sentences: str) -> list[list[str]]:
    alone = [word.split() for word in words.replace("\n", " ").split(",")]
    return alone + [line.strip().split(" | ") for line in sentences.strip().split("\n")]


@pytest.mark.parametrize(("text", "expected"), pairs(AMERICAN_WORDS, AMERICAN_SENTENCES))
def test_american_english_is_written_as_espeak_does(text: str, expected: str) -> None:
    assert [espeak_ipa(said) for said in phonemes(text)] == [expected]


@pytest.mark.parametrize(("text", "expected"), pairs(BRITISH_WORDS, BRITISH_SENTENCES))
def test_british_english_is_written_as_espeak_does(text: str, expected: str) -> None:
    assert [espeak_ipa(said, british=True) for said in phonemes(text, british=True)] == [expected]


def test_no_sign_of_misaki_alone_is_left() -> None:
    """Each phoneme of its lexicons, between others and at the edges, in both kinds of English."""
    for phoneme in "AIOQWYTʤʧᵊ":
        for said in (phoneme, f"k{phoneme}k", f"ˈ{phoneme}. {phoneme}t"):
            for british in (False, True):
                assert phoneme not in espeak_ipa(said, british)


def test_punctuation_stays_and_ends_a_word_as_a_space_does() -> None:
    assert espeak_ipa("wˈɔTəɹ, əɡˈɛn! hˈæpi?") == "wˈɔːɾɚ, ɐɡˈɛn! hˈæpi?"
    # No r is linked across a comma, where espeak-ng pauses.
    assert espeak_ipa("sˈɪstəɹ ˈæftəɹ") == "sˈɪstɚɹ ˈæftɚ"
    assert espeak_ipa("sˈɪstəɹ, ˈæftəɹ") == "sˈɪstɚ, ˈæftɚ"
