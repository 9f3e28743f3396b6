// The server of a client: an address, or a program on standard input and output.
//
// {url: URL} or {command, args: [...]}

export function targetOf(words) {
  if (words.length === 0) throw new Error('expected an address, or a command with its words');
  if (/^https?:/.test(words[0])) return { url: new URL(words[0]), headers: headersFrom(process.env) };
  return { command: words[0], args: words.slice(1) };
}

/** The environment has the token, because lists of processes do not show it. */
function headersFrom(environment) {
  const token = environment.SCRATCHPAGE_TOKEN;
  return token ? { Authorization: `Bearer ${token}` } : {};
}
