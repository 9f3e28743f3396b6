#!/usr/bin/env python3
"""Writes the page of benchmarks, with its plots, from what `./dev bench peers --json FILE` has measured.

The page keeps what is above its line `<!-- drawn below this line -->`; everything below it is written
anew, and so are the plots beside it, benchmarks-*.svg.

usage: report.py FILE PAGE
"""

import json
import math
import pathlib
import sys

from comparison import short_number

LINE = "<!-- drawn below this line by tests/bench/peers/report.py -->\n"

# figure: its title, and what is plotted over the size: the rows whose text is this
FIGURES = {
    "text": ("Finding by text", "four common words, top ten and exact total"),
    "tags": ("Finding by tags", "two tags, ten and exact total"),
    "goal": ("Finding by a goal", "one of 1 000 goals, ten and exact total"),
    "load": ("Adding with all indexes", "additions with all indexes"),
    "notes": ("Notes of an agent over MCP", "a note added over MCP"),
    "fanout": ("Deliveries to six subscribers", None),
    "stream": ("Messages that are kept", None),
    "http": ("Requests over HTTP", None),
    "turns": ("Turns", None),
    "durable": ("Durable additions", None),
    "ends": ("What ends at one time", None),
}
COLOURS = ["#0b6e4f", "#1f5fa8", "#b3541e", "#7b3fa0", "#8a8a00", "#a01f4f"]
WIDTH, HEIGHT = 640, 300
LEFT, RIGHT, TOP, BOTTOM = 70, 210, 34, 44
LONGEST = 34  # letters of a name at the end of its line


def escaped(text):
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def shortened(name):
    return name if len(name) <= LONGEST else name[:LONGEST - 1] + "…"


def lines_of(rows):
    """For each contestant its medians by size; ours come first."""
    ours, peers = {}, {}
    for row in rows:
        if row["size"] is not None:
            ours.setdefault("Scratchpage: " + row["ours"], {})[row["size"]] = row["our_median"]
            peers.setdefault(row["peer"], {})[row["size"]] = row["peer_median"]
    return {**ours, **peers}


def decades(values):
    """The powers of ten between which all values are; at least one apart."""
    low, high = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))
    return low, max(high, low + 1)


def power(exponent):
    return short_number(10.0 ** exponent) if exponent >= 0 else f"{10.0 ** exponent:g}"


def plot_of(title, unit, lines):
    """A plot as SVG, both axes logarithmic."""
    sizes = sorted({size for values in lines.values() for size in values})
    left, right = decades(sizes)
    low, high = decades([x for values in lines.values() for x in values.values()])

    def across(size):
        return LEFT + (math.log10(size) - left) / (right - left) * (WIDTH - LEFT - RIGHT)

    def up(value):
        return HEIGHT - BOTTOM - (math.log10(value) - low) / (high - low) * (HEIGHT - TOP - BOTTOM)

    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" '
             'font-size="11" fill="#333">',
             f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>',
             f'<text x="{LEFT}" y="18" font-size="13">{escaped(title)}, {escaped(unit)}</text>']
    for exponent in range(low, high + 1):
        y = up(10.0 ** exponent)
        parts.append(f'<path d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}" stroke="#ddd"/>'
                     f'<text x="{LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{power(exponent)}</text>')
    for exponent in range(left, right + 1):
        x = across(10.0 ** exponent)
        parts.append(f'<path d="M{x:.1f} {TOP}V{HEIGHT - BOTTOM}" stroke="#eee"/>'
                     f'<text x="{x:.1f}" y="{HEIGHT - BOTTOM + 16}" text-anchor="middle">{power(exponent)}</text>')
    parts.append(f'<text x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 8}" text-anchor="middle">observations</text>')
    parts += drawn_lines(lines, across, up)
    return "\n".join([*parts, "</svg>"]) + "\n"


def drawn_lines(lines, across, up):
    """The lines, with their names at their ends, moved apart where they would cover each other."""
    last_y = 0
    by_end = sorted(lines, key=lambda name: up(lines[name][max(lines[name])]))
    for number, name in enumerate(lines):
        values = lines[name]
        colour, width = COLOURS[number % len(COLOURS)], 2.5 if name.startswith("Scratchpage") else 1.5
        points = " ".join(f"{across(x):.1f},{up(values[x]):.1f}" for x in sorted(values))
        yield f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="{width}"/>'
        for x in sorted(values):
            yield f'<circle cx="{across(x):.1f}" cy="{up(values[x]):.1f}" r="2.5" fill="{colour}"/>'
    for name in by_end:
        colour = COLOURS[list(lines).index(name) % len(COLOURS)]
        end = max(lines[name])
        last_y = max(up(lines[name][end]) + 4, last_y + 13)
        yield f'<text x="{WIDTH - RIGHT + 6}" y="{last_y:.1f}" fill="{colour}">{escaped(shortened(name))}</text>'


def cell(text):
    return text.replace("|", "\\|")


def rounds_of(row):
    count = len(row["our_values"])
    return f"{short_number(row['ratio_from'])} – {short_number(row['ratio_to'])} in {count}" if count > 1 else "1"


def table_of(rows):
    lines = ["| ratio | rounds | what | size | Scratchpage | peer | unit |", "|---|---|---|---|---|---|---|"]
    for row in rows:
        ratio = short_number(row["ratio"])
        size = "" if row["size"] is None else short_number(row["size"])
        what = row["what"] + (f" ({row['note']})" if row["note"] else "")
        lines.append("| " + " | ".join(map(cell, [
            f"**{ratio}**" if row["ratio"] < 1 else ratio, rounds_of(row), what, size,
            f"{short_number(row['our_median'])} ({row['ours']})", f"{short_number(row['peer_median'])} ({row['peer']})",
            row["unit"]])) + " |")
    return lines


def better_peers(rows):
    """A list of where a peer is better, the worst for us first; of several sizes, the worst one."""
    worst = {}
    for row in sorted((x for x in rows if x["ratio"] < 1), key=lambda x: x["ratio"]):
        worst.setdefault((row["what"], row["ours"], row["peer"]), row)
    for row in worst.values():
        size = "" if row["size"] is None else f" of {short_number(row['size'])}"
        yield (f"- **{row['peer']}** is {short_number(1 / row['ratio'])} times as good as *{row['ours']}*: "
               f"{row['what']}{size} ({short_number(row['peer_median'])} and {short_number(row['our_median'])} "
               f"{row['unit']}).")


def conditions_of(report):
    machine = report["machine"]
    versions = ", ".join(f"{name} {version}" for name, version in report["versions"].items())
    return ["## Conditions", "", "```", report["command"], "```", "",
            f"- From {report['began']} to {report['ended']}; {report['rounds']} rounds; seed {report['seed']}.",
            f"- {machine['processor']}, {machine['cores']} cores, {machine['memory_gib']} GiB, {machine['system']}. "
            f"The load of the machine before was {machine['load_before']}.",
            f"- Versions: {versions}.",
            *(f"- Not measured: {peer}: {why}." for peer, why in {**report["skipped"], **report["failed"]}.items()), ""]


def page_of(report, name):
    """The part of the page that is drawn, and the plots by their file names."""
    rows, plots = report["rows"], {}
    lines = [*conditions_of(report), "## Where a peer is better", ""]
    lines += list(better_peers(rows)) or ["Nowhere in this run."]
    lines.append("")
    for figure, (title, plotted) in FIGURES.items():
        of_figure = [x for x in rows if x["figure"] == figure]
        if not of_figure:
            continue
        lines += [f"## {title}", ""]
        over_size = lines_of([x for x in of_figure if x["what"] == plotted])
        if any(len(values) > 1 for values in over_size.values()):
            plots[f"{name}-{figure}.svg"] = plot_of(plotted, of_figure[0]["unit"], over_size)
            lines += [f"![{plotted}, by the number of observations]({name}-{figure}.svg)", ""]
        lines += [*table_of(of_figure), ""]
    return "\n".join(lines), plots


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    file, page = map(pathlib.Path, sys.argv[1:])
    try:
        report = json.loads(file.read_text())
        head, line, _ = page.read_text().partition(LINE)
        if not line:
            sys.exit(f"{page}: expected the line {LINE.strip()}")
        drawn, plots = page_of(report, page.stem)
    except (OSError, ValueError, KeyError) as why:
        sys.exit(f"report.py: expected a file of ./dev bench peers --json, and a page: {type(why).__name__}: {why}")
    for old in page.parent.glob(f"{page.stem}-*.svg"):
        old.unlink()
    for name, text in plots.items():
        (page.parent / name).write_text(text)
    page.write_text(head + LINE + "\n" + drawn.rstrip() + "\n")


if __name__ == "__main__":
    main()
