#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "scratchpage/messages/caller.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/time.hpp"
#include "scratchpage/messages/trace.hpp"
#include "scratchpage/persistence/trace/trace_bounds.hpp"
#include "scratchpage/persistence/trace/trace_sink.hpp"

namespace scratchpage {

/// What all actors of one agent share: whose they are, the time, the trace.
struct agent_context {
  std::string agent_id;
  std::shared_ptr<const scratchpage::clock> clock;
  std::shared_ptr<trace_sink> trace; ///< null: nothing is traced
};

/// One component's pen for the trace. Ids are unique within an agent: the high
/// bits say which component, the low 32 count.
class tracer {
public:
  tracer() = default;

  /// `number` tells the components of an agent apart; 1 to 2^20.
  tracer(const agent_context& agent, std::string component, uint32_t number)
    : sink_{agent.trace},
      clock_{agent.clock},
      agent_id_{agent.agent_id},
      component_{std::move(component)},
      last_{static_cast<span_id>(number) << 32} {}

  bool enabled() const { return sink_ != nullptr; }

  /// When something began, on the clock that nobody sets; none: it took no time to speak of.
  using beginning = std::optional<timespan>;

  /// Writes an entry and gives its id; if tracing is off, the cause's.
  span_id write(std::string_view operation, const caller& by, json::object detail = {},
    std::string_view status = "success", beginning started = {}) {
    auto id = reserve(by);
    write_reserved(id, operation, by, std::move(detail), status, started);
    return id;
  }

  /// The id of an entry that will be written later; if tracing is off, the cause's.
  span_id reserve(const caller& by) { return sink_ ? ++last_ : by.cause; }

  void write_reserved(span_id id, std::string_view operation, const caller& by,
    json::object detail = {}, std::string_view status = "success", beginning started = {},
    observation_ptr about = {}) {
    if (!sink_)
      return;
    if (!detail.empty())
      shorten_texts(detail);
    sink_->write({.id = id,
      .parent = by.cause,
      .at = clock_->now(),
      .agent_id = agent_id_,
      .turn_id = shortened_name(by.turn_id),
      .component = component_,
      .operation = std::string{operation},
      .status = std::string{status},
      .source = shortened_name(by.name),
      .duration_ms = started ? in_milliseconds(clock_->steady() - *started) : 0,
      .detail = std::move(detail),
      .observation = std::move(about)});
  }

  /// An entry for what went wrong; its status is the error's name.
  span_id write_error(
    std::string_view operation, const caller& by, const caf::error& err, json::object detail = {}) {
    if (!sink_)
      return by.cause;
    detail["error"] = describe(err);
    return write(operation, by, std::move(detail), name_of(code_of(err)));
  }

private:
  std::shared_ptr<trace_sink> sink_;
  std::shared_ptr<const scratchpage::clock> clock_;
  std::string agent_id_;
  std::string component_;
  span_id last_ = 0;
};

} // namespace scratchpage
