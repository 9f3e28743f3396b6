#include "scratchpage/persistence/trace/trace_text.hpp"

#include <utility>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/json_writer.hpp"

namespace scratchpage {

void complete(trace_entry& x) {
  auto about = std::exchange(x.observation, {});
  if (!about)
    return;
  x.detail["observation_id"] = about->observation_id;
  x.detail["observation_type"] = about->type;
  x.detail["observation"] = to_json(*about);
}

void append_complete(std::string& out, const trace_entry& x) {
  append_json(out, x);
  if (!x.observation)
    return;
  out.resize(out.size() - 2); // the detail, which is last, goes on
  out += x.detail.empty() ? R"("observation_id":)" : R"(,"observation_id":)";
  append_json(out, x.observation->observation_id);
  out += R"(,"observation_type":)";
  append_json(out, x.observation->type);
  out += R"(,"observation":)";
  append_json(out, *x.observation);
  out += "}}";
}

} // namespace scratchpage
