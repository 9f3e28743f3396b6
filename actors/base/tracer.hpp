#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "scratchpage/actors/base/work_marks.hpp"
#include "scratchpage/messages/caller.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/time.hpp"
#include "scratchpage/messages/trace.hpp"
#include "scratchpage/persistence/trace/trace_sink.hpp"

namespace scratchpage {

class keepsakes; // actors/base/keepsakes.hpp

/// What all actors of one agent share: its id, its clock, its trace, and what they remember while
/// it is at rest.
struct agent_context {
  std::string agent_id;
  std::shared_ptr<const scratchpage::clock> clock;
  std::shared_ptr<trace_sink> trace;                 ///< null: nothing is traced
  std::shared_ptr<scratchpage::keepsakes> kept = {}; ///< null: the agent never rests

  /// Counts work that must be done before the agent may rest.
  work_count work() const;
  work_mark begin_work() const { return work().begin(); }

  /// Whether the actors may be made again: then they keep what they remember.
  bool may_wake() const;
};

/// Writes the trace entries of one component. Ids of entries are unique within an agent: the high
/// 32 bits are the number of the component, the low 32 bits count its entries.
class tracer {
public:
  tracer() = default;

  /// `number` identifies the component within the agent. In [1, 2^20].
  tracer(const agent_context& agent, std::string component, uint32_t number)
    : sink_{agent.trace},
      clock_{agent.clock},
      agent_id_{agent.agent_id},
      component_{std::move(component)},
      last_{counter_in(agent, number)} {}

  bool enabled() const { return sink_ != nullptr; }

  /// When an operation began, on the steady clock. Empty: its duration is written as 0.
  using beginning = std::optional<timespan>;

  /// Writes an entry and returns its id, or the id of the cause if tracing is off.
  span_id write(std::string_view operation, const caller& by, json::object detail = {},
    std::string_view status = "success", beginning started = {}) {
    auto id = reserve(by);
    write_reserved(id, operation, by, std::move(detail), status, started);
    return id;
  }

  /// Returns the id for an entry that `write_reserved` writes later, or the id of the cause if
  /// tracing is off.
  span_id reserve(const caller& by) { return sink_ ? ++*last_ : by.cause; }

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

  /// Writes an entry for an operation that failed. Its status is the name of the error's code.
  span_id write_error(
    std::string_view operation, const caller& by, const caf::error& err, json::object detail = {}) {
    if (!sink_)
      return by.cause;
    detail["error"] = describe(err);
    return write(operation, by, std::move(detail), name_of(code_of(err)));
  }

private:
  /// The counter of a component, which goes on after a rest.
  static std::shared_ptr<span_id> counter_in(const agent_context& agent, uint32_t number);

  std::shared_ptr<trace_sink> sink_;
  std::shared_ptr<const scratchpage::clock> clock_;
  std::string agent_id_;
  std::string component_;
  std::shared_ptr<span_id> last_; ///< null without a component
};

} // namespace scratchpage
