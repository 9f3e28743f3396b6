#include "scratchpage/messages/json_writer.hpp"

namespace scratchpage {

void append_json(std::string& out, const source& x) {
  out += "{\"";
  out += name_of(x.kind);
  out += "\":";
  append_quoted(out, x.name);
  if (!x.turn_id.empty()) {
    out += ",\"turn_id\":";
    append_quoted(out, x.turn_id);
  }
  if (x.at != timestamp{}) {
    out += ",\"timestamp\":";
    append_json(out, x.at);
  }
  out += '}';
}

void append_json(std::string& out, const observation_ptr& x) {
  if (x)
    append_json(out, *x);
  else
    out += "null";
}

} // namespace scratchpage
