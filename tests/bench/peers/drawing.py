"""Draws the observations and the questions that all contestants share. The same seed draws the same.

An observation has 12 words of 20 000 by Zipf's distribution (the n-th is about n times as rare as
the first), 3 of 200 tags by the same, and one of 1 000 goals, each as often.
"""

import json
import random

WORDS, TAGS, GOALS = 20_000, 200, 1_000
WORDS_OF_ONE, TAGS_OF_ONE = 12, 3
COMMON_WORDS = 10  # questions for common words draw from the most frequent ones
COMMON_TAGS = 50
SEED = 1

CONSONANTS, VOWELS = "bcdfglmnprstv", "aeiou"


def _word(chance, syllables):
    """No word of English that a search would leave out has three such syllables."""
    return "".join(CONSONANTS[int(chance.random() * len(CONSONANTS))] + VOWELS[int(chance.random() * len(VOWELS))]
                   for _ in range(syllables))


def _words(chance, count):
    found = {}
    while len(found) < count:
        found[_word(chance, 3 + int(chance.random() * 2))] = True
    return list(found)


class Drawing:
    def __init__(self, seed=SEED):
        self.chance = random.Random(seed)
        self.words = _words(self.chance, WORDS)
        self.tags = _words(self.chance, TAGS)

    def zipf(self, below):
        return int(below ** self.chance.random()) - 1

    def observation(self):
        tags = []
        while len(tags) < TAGS_OF_ONE:
            tag = self.tags[self.zipf(TAGS)]
            if tag not in tags:
                tags.append(tag)
        words = " ".join(self.words[self.zipf(WORDS)] for _ in range(WORDS_OF_ONE))
        goal = f"goal_{int(self.chance.random() * GOALS)}"
        return {"type": "observation", "content": words, "tags": tags, "context": {"goal_id": goal}}

    def _different(self, items, count):
        found = []
        while len(found) < count:
            item = items[int(self.chance.random() * len(items))]
            if item not in found:
                found.append(item)
        return found

    def questions(self, count):
        """For each kind of question, `count` of them."""
        common, tags = self.words[:COMMON_WORDS], self.tags[:COMMON_TAGS]
        return {"text": [" ".join(self._different(common, 4)) for _ in range(count)],
                "tags": [self._different(tags, 2) for _ in range(count)],
                "goal": [f"goal_{int(self.chance.random() * GOALS)}" for _ in range(count)]}


def write_observations(file, count, seed=SEED):
    """Writes drafts as JSON, one a line."""
    drawing = Drawing(seed)
    with open(file, "w", encoding="utf-8") as out:
        for _ in range(count):
            out.write(json.dumps(drawing.observation(), separators=(",", ":")) + "\n")


def read_observations(file, count):
    with open(file, encoding="utf-8") as lines:
        for number, line in zip(range(count), lines):
            yield number, json.loads(line)


def draw_questions(count, seed=SEED):
    """Questions with the words and tags of the observations of the same seed."""
    drawing = Drawing(seed)
    drawing.chance = random.Random(seed + 1)
    return drawing.questions(count)
