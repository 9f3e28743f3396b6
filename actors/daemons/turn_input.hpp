#pragma once

#include <vector>

#include <caf/expected.hpp>

#include "scratchpage/messages/observation.hpp"
#include "scratchpage/messages/turn.hpp"

namespace scratchpage {

/// How a turn's plan travels on the page: in the metadata of its `user_input`.
/// TURNS writes it, the CLARIFIER and the EXECUTOR read it.
void write_plan(observation_draft& input, const std::vector<planned_call>& plan);

/// The plan of a `user_input`; empty if it has none, an error if it is malformed.
caf::expected<std::vector<planned_call>> read_plan(const observation& input);

/// The `user_input` that a `routing_decision` names, or "".
std::string input_of(const observation& routing_decision);

/// Whether a tool put it on the page. Inputs, decisions and plans of tools are
/// data like any other, and nobody acts on them.
bool is_from_tool(const observation& x);

/// How calls that waited for the user's consent are added to a turn's plan: in
/// the metadata of its `execution_plan`.
void write_resumed(observation_draft& plan, const std::vector<planned_call>& calls);

/// Those of an `execution_plan`; none if it names none.
std::vector<planned_call> read_resumed(const observation& plan);

/// A text member of `x`, or "".
std::string text_member(const json::object& x, std::string_view key);

} // namespace scratchpage
