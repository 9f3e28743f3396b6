// Reads server-sent events (the HTML standard, 9.2.6) from pieces of text.

export class EventReader {
  constructor() { this.rest = ""; }

  // The blocks that are complete with this piece, not parsed yet.
  take(piece) {
    const blocks = (this.rest + piece).split("\n\n");
    this.rest = blocks.pop();
    return blocks;
  }
}

// Parses a block: {id, kind, data}, or null if it is a comment.
export const readBlock = block => {
  const result = {id: "", kind: "message", data: ""};
  for (const line of block.split("\n")) {
    const colon = line.indexOf(":");
    if (colon <= 0) continue;
    const value = line.slice(line[colon + 1] === " " ? colon + 2 : colon + 1);
    const name = line.slice(0, colon);
    if (name === "id") result.id = value;
    else if (name === "event") result.kind = value;
    else if (name === "data") result.data += (result.data ? "\n" : "") + value;
  }
  return result.data ? result : null;
};
