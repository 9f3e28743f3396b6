#include "scratchpage/persistence/trace/trace_bounds.hpp"

#include <algorithm>

#include "scratchpage/messages/json/json_size.hpp"
#include "scratchpage/messages/observation_size.hpp"
#include "scratchpage/messages/text/utf8.hpp"

namespace scratchpage {

namespace {

/// Shortens one text after the other, as long as there is room for them.
class shortener {
public:
  void all_of(json::object& x) {
    for (auto& member : x)
      one(member.value());
  }

private:
  void one(json::value& x) {
    if (auto* text = x.if_string())
      fit(*text);
    else if (auto* object = x.if_object())
      all_of(*object);
    else if (auto* array = x.if_array())
      for (auto& value : *array)
        one(value);
  }

  void fit(json::string& x) {
    auto most = std::min(trace_limits::text_bytes, left_);
    if (x.size() > most)
      x.assign(utf8::shortened({x.data(), x.size()}, most));
    left_ -= std::min(left_, x.size());
  }

  size_t left_ = trace_limits::detail_bytes;
};

} // namespace

std::string shortened_name(const std::string& x) {
  return x.size() <= trace_limits::name_bytes ? x : utf8::shortened(x, trace_limits::name_bytes);
}

void shorten_texts(json::object& detail) {
  shortener{}.all_of(detail);
}

size_t memory_of(const trace_entry& x) {
  auto texts = x.agent_id.size() + x.turn_id.size() + x.component.size() + x.operation.size()
               + x.status.size() + x.source.size();
  return sizeof(trace_entry) + texts + memory_of(x.detail)
         + (x.observation ? memory_of(*x.observation) : 0);
}

} // namespace scratchpage
