"""Xapian: a database of texts in the folder that is given, best in memory. answering.py says how it
is asked.

usage: xapian_contestant.py FOLDER
"""

import sys
import time

import xapian

from answering import obey, timed
from drawing import read_observations


class Xapian:
    def __init__(self, folder):
        self.folder = folder
        self.number = 0
        self.stem = xapian.Stem("english")
        self.readable = None

    def load(self, file, count):
        self.number += 1
        writable = xapian.WritableDatabase(f"{self.folder}/{self.number}", xapian.DB_CREATE)
        terms = xapian.TermGenerator()
        terms.set_stemmer(self.stem)
        terms.set_stemming_strategy(xapian.TermGenerator.STEM_ALL)
        took = 0
        for _, draft in read_observations(file, count):
            began = time.perf_counter()
            document = xapian.Document()
            terms.set_document(document)
            terms.index_text_without_positions(draft["content"])
            writable.add_document(document)
            took += time.perf_counter() - began
        began = time.perf_counter()
        writable.commit()
        took += time.perf_counter() - began
        writable.close()
        self.readable = xapian.Database(f"{self.folder}/{self.number}")
        return {"seconds": took}

    def _ask(self, question, examined):
        words = [self.stem(word.encode()).decode() for word in question.split()]
        enquire = xapian.Enquire(self.readable)
        enquire.set_query(xapian.Query(xapian.Query.OP_OR, words))
        found = enquire.get_mset(0, 10, examined)
        for match in found:
            match.docid
        return found.get_matches_estimated()

    def text_top(self, questions, seconds):
        """The ten best; how many there are is an estimate."""
        return timed(questions, seconds, lambda x: self._ask(x, 0))

    def text(self, questions, seconds):
        """The ten best, and how many there are."""
        return timed(questions, seconds, lambda x: self._ask(x, self.readable.get_doccount()))


if __name__ == "__main__":
    obey(Xapian(sys.argv[1]))
