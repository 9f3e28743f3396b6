#include "scratchpage/persistence/trace/trace_sink.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/json/json_size.hpp"
#include "scratchpage/messages/json_writer.hpp"
#include "scratchpage/messages/observation.hpp"
#include "scratchpage/messages/text/utf8.hpp"
#include "scratchpage/persistence/privacy/pii_masker.hpp"

namespace scratchpage {

namespace {

/// Cuts one text after the other, so that all of them together keep the limit.
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

void memory_trace::write(trace_entry entry) {
  complete(entry);
  std::lock_guard guard{mutex_};
  entries_.push_back(std::move(entry));
}

std::vector<trace_entry> memory_trace::entries() const {
  std::lock_guard guard{mutex_};
  return entries_;
}

std::vector<trace_entry> memory_trace::entries_of(const std::string& turn_id) const {
  std::lock_guard guard{mutex_};
  std::vector<trace_entry> result;
  std::copy_if(entries_.begin(), entries_.end(), std::back_inserter(result),
    [&](const trace_entry& one) { return one.turn_id == turn_id; });
  return result;
}

std::vector<trace_entry> memory_trace::take() {
  std::lock_guard guard{mutex_};
  return std::exchange(entries_, {});
}

size_t memory_trace::size() const {
  std::lock_guard guard{mutex_};
  return entries_.size();
}

void masked_trace::write(trace_entry entry) {
  complete(entry);
  masker_->mask(entry.detail);
  next_->write(std::move(entry));
}

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
  out.resize(out.size() - 2); // reopens the detail, which is the last member
  out += x.detail.empty() ? R"("observation_id":)" : R"(,"observation_id":)";
  append_json(out, x.observation->observation_id);
  out += R"(,"observation_type":)";
  append_json(out, x.observation->type);
  out += R"(,"observation":)";
  append_json(out, *x.observation);
  out += "}}";
}

} // namespace scratchpage
