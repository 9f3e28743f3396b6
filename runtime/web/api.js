// Requests to the server that the page came from.

// The agent, and the principal of requests. A token is stored in this tab only; `who` is what the
// server knows of its holder: {name, role, kind, owner, may_write}.
export const session = {
  agent: "",
  who: {name: "", role: "", kind: "", owner: false, may_write: false},
  get token() { return sessionStorage.getItem("token") || ""; },
  set token(x) { if (x) sessionStorage.setItem("token", x); else sessionStorage.removeItem("token"); },
  get isPerson() { return this.who.kind === "user"; },
};

export class Refusal extends Error {
  constructor(status, error) {
    super(error.message || "the server answered " + status);
    this.status = status;
    this.code = error.code || "";
    this.field = error.field || "";
  }
  // The server's message without the code and the field at its beginning.
  get sentence() { return this.message.replace(/^[a-z_]+: /, ""); }
}

export const isGone = err => err instanceof Refusal && err.status === 404;

// Without a token the page is a program like any other, which may only view.
export const headersOf = () => session.token
  ? {authorization: "Bearer " + session.token}
  : {"scratchpage-caller": JSON.stringify({role: "daemon", name: "page"})};

// A path below the agent, with its parts escaped: path`turns/${id}/trace`.
export const path = (words, ...parts) => {
  let text = "/v1/agents/" + encodeURIComponent(session.agent) + "/" + words[0];
  parts.forEach((x, i) => { text += encodeURIComponent(x) + words[i + 1]; });
  return text;
};

export const withQuery = (to, members) => {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(members))
    for (const one of Array.isArray(value) ? value : [value])
      if (one !== "" && one !== null && one !== undefined) query.append(name, one);
  return query.size ? to + "?" + query : to;
};

// How far this clock is behind the server's; remaining lifetimes need it.
let behind_ms = 0;
export const now = () => Date.now() + behind_ms;
const compareClocks = answer => {
  const theirs = Date.parse(answer.headers.get("date") || "");
  // The header has only whole seconds.
  if (!isNaN(theirs)) behind_ms = Math.abs(theirs + 500 - Date.now()) < 1500 ? 0 : theirs + 500 - Date.now();
};

let onUnauthenticated = () => {};
export const whenUnauthenticated = callback => { onUnauthenticated = callback; };

const refusalOf = async answer => {
  let error = {};
  try { error = (await answer.json()).error || {}; } catch { /* the answer is no JSON */ }
  if (answer.status === 401) onUnauthenticated();
  return new Refusal(answer.status, error);
};

export const open = async (to, options = {}) => {
  const answer = await fetch(to, {...options, headers: {...headersOf(), ...options.headers}, credentials: "omit"});
  if (!answer.ok) throw await refusalOf(answer);
  return answer;
};

const ask = async (method, to, body) => {
  const answer = await open(to, body === undefined ? {method}
    : {method, body: JSON.stringify(body), headers: {"content-type": "application/json"}});
  compareClocks(answer);
  return answer.status === 204 ? null : answer.json();
};

export const get = to => ask("GET", to);
export const post = (to, body) => ask("POST", to, body);
export const patch = (to, body) => ask("PATCH", to, body);
export const remove = to => ask("DELETE", to);
