#include "scratchpage/runtime/simulation/summary.hpp"

#include "scratchpage/messages/codec.hpp"

namespace scratchpage {

run_summary& operator+=(run_summary& x, const run_summary& y) {
  run_summary::fields([&](const auto&... m) { ((x.*(m.member) += y.*(m.member)), ...); });
  return x;
}

std::string to_summary_text(const run_summary& x) {
  return to_pretty_text(to_json(x)) + "\n";
}

} // namespace scratchpage
