#include "scratchpage/messages/json_writer.hpp"

namespace scratchpage {

void append_json(text_end& out, const source& x) {
  out.add("{\"");
  out.add(name_of(x.kind));
  out.add("\":");
  append_quoted(out, x.name);
  if (!x.turn_id.empty()) {
    out.add(",\"turn_id\":");
    append_quoted(out, x.turn_id);
  }
  if (x.at != timestamp{}) {
    out.add(",\"timestamp\":");
    append_json(out, x.at);
  }
  if (!x.relayed_by.empty()) {
    out.add(",\"relayed_by\":");
    append_quoted(out, x.relayed_by);
  }
  out.add('}');
}

void append_json(text_end& out, const observation_ptr& x) {
  if (x)
    append_json(out, *x);
  else
    out.add("null");
}

} // namespace scratchpage
