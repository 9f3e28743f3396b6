"""What the rounds of two contestants say, as rows: medians, ratios, and a table of them. Nothing is
measured here."""

import statistics
from dataclasses import asdict, dataclass, field

LESS, MORE = "less", "more"  # which value is the better one


@dataclass
class Row:
    """We and one peer in one figure. `ratio` is the median of the rounds' ratios: how many times as
    good as the peer we are, whichever value is the better one."""

    figure: str
    what: str
    unit: str
    better: str
    ours: str
    peer: str
    size: int | None = None
    our_values: list = field(default_factory=list)
    peer_values: list = field(default_factory=list)
    note: str = ""

    def add(self, ours, theirs):
        """The values of one round."""
        self.our_values.append(ours)
        self.peer_values.append(theirs)

    def ratios(self):
        pairs = zip(self.our_values, self.peer_values)
        return [peer / our if self.better == LESS else our / peer for our, peer in pairs]

    def as_json(self):
        ratios = self.ratios()
        return {**asdict(self), "ratio": statistics.median(ratios), "ratio_from": min(ratios),
                "ratio_to": max(ratios), "our_median": statistics.median(self.our_values),
                "peer_median": statistics.median(self.peer_values)}


def short_number(x):
    """Three digits that count, with thousands as a person writes them."""
    if x == 0:
        return "0"
    if abs(x) >= 1000:
        return f"{x:,.0f}".replace(",", " ")
    digits = 2 if abs(x) < 10 else 1 if abs(x) < 100 else 0
    if abs(x) < 0.1:
        digits = 4
    return f"{x:.{digits}f}"


HEAD = ["ratio", "from – to", "figure", "size", "scratchpage", "", "peer", "", "unit"]


def cells_of(row):
    """The cells of a row of the report, given as its JSON."""
    size = "" if row["size"] is None else short_number(row["size"])
    spread = f"{short_number(row['ratio_from'])} – {short_number(row['ratio_to'])}"
    return [f"{short_number(row['ratio'])} ×", spread, row["what"], size, short_number(row["our_median"]), row["ours"],
            short_number(row["peer_median"]), row["peer"], row["unit"]]


NUMBERS = {0, 3, 4, 6}  # columns that are aligned to the right


def table_of(rows, colours=False):
    """A table for a terminal, the ratio first. With colours, a ratio below 1 is red."""
    lines = [HEAD] + [cells_of(row) for row in rows]
    widths = [max(len(line[i]) for line in lines) for i in range(len(HEAD))]
    shown = []
    for number, line in enumerate(lines):
        cells = [x.rjust(w) if i in NUMBERS else x.ljust(w) for i, (x, w) in enumerate(zip(line, widths))]
        text = "  ".join(cells).rstrip()
        if colours and number == 0:
            text = f"\x1b[1m{text}\x1b[0m"
        elif colours and rows[number - 1]["ratio"] < 1:
            text = f"\x1b[31m{text}\x1b[0m"
        shown.append(text)
    return "\n".join(shown)
