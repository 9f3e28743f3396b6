#include "scratchpage/actors/page/turn_limits.hpp"

namespace scratchpage {

bool is_program(const std::optional<caller>& x) {
  return x && !is_person(*x);
}

bool is_same_principal(const std::optional<caller>& a, const std::optional<caller>& b) {
  return a && b && a->kind == b->kind && a->name == b->name;
}

bool counts_with(const std::optional<caller>& a, const std::optional<caller>& b) {
  return (a && b && a->claimed && b->claimed) || is_same_principal(a, b);
}

} // namespace scratchpage
