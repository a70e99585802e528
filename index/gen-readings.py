#!/usr/bin/env python3
"""Regenerates src/text/readings.ja.txt: readings of Japanese words with kanji, from the IPA dictionary.

Requires `pip install janome==0.5.1`, which includes that dictionary (licence in src/text/readings.ja.COPYING).
"""

import collections
import pathlib
import re

from janome.sysdic import entries

OUT = pathlib.Path(__file__).parent / "src/text/readings.ja.txt"
HEAD = "# Readings in hiragana, each with its words; written by gen-readings.py, licence in readings.ja.COPYING.\n"
NOUNS = {"一般", "サ変接続", "形容動詞語幹", "副詞可能"}
KANJI = re.compile("[一-鿿々]")
# Longer compounds are found by their parts.
WORD = re.compile("^[ぁ-ヶー一-鿿々]{1,4}$")
READING = re.compile("^[ぁ-ゖー]+$")
# Longer place names only if common: in the dictionary, the cost of a word falls with its frequency.
PLACE, COMMON = re.compile("^[一-鿿々]{2}$"), 8000


def hiragana(text):
    return "".join(chr(ord(c) - 0x60) if "ァ" <= c <= "ヶ" else c for c in text)


def is_listed(word, kind, cost):
    if kind[0] != "名詞" or not (KANJI.search(word) and WORD.match(word)):
        return False
    if kind[1] == "固有名詞":
        return kind[2] == "地域" and bool(PLACE.match(word) or cost < COMMON)
    return kind[1] in NOUNS


words = collections.defaultdict(dict)
for word, _, _, cost, kind, _, _, _, reading in (entry[:9] for entry in entries().values()):
    reading = hiragana(reading)
    if READING.match(reading) and is_listed(word, kind.split(","), cost):
        words[reading][word] = min(cost, words[reading].get(word, cost))
lines = (f"{reading} {' '.join(sorted(found, key=lambda word: (found[word], word)))}\n" for reading, found in sorted(words.items()))
OUT.write_text(HEAD + "".join(lines), encoding="utf-8")
