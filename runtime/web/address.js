// The address of the page: `agent` is whose page it is, `view` is the part that is open, `show` is what
// a link names. The rest belongs to the view that is open, so that a view can be linked to.

export const inAddress = name => new URLSearchParams(location.search).get(name) || "";

const textOf = members => {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(members)) if (value) query.set(name, value);
  return query.size ? "?" + query : "";
};

export const addressOf = members => "/" + textOf(members);

// Changes members of the address; an empty one is removed. `is_step` makes "back" return to the old one.
export const setAddress = (members, is_step = false) => {
  const all = {...Object.fromEntries(new URLSearchParams(location.search)), ...members};
  const next = location.pathname + textOf(all) + location.hash;
  if (next === location.pathname + location.search + location.hash) return;
  if (is_step) history.pushState(null, "", next);
  else history.replaceState(null, "", next);
};
