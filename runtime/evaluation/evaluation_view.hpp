#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "scratchpage/messages/json/json.hpp"
#include "scratchpage/runtime/evaluation/runner.hpp"

namespace scratchpage {

/// At most `most` cases of each daemon, in their order.
std::vector<const disagreement*> first_cases(const measured_decisions& x, size_t most);

/// "0.93", or "-" if there is no figure.
std::string shown_share(std::optional<double> x);

/// The figures and at most `most` cases of each daemon. `against` is the second configuration, or
/// null.
json::object evaluation_json(
  const measured_decisions& x, const measured_decisions* against, size_t most);

/// The same as a section of a report, in HTML. Texts of conversations are escaped.
std::string evaluation_html(
  const measured_decisions& x, const measured_decisions* against, size_t most);

} // namespace scratchpage
