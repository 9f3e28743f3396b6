#include "scratchpage/messages/query.hpp"

#include <algorithm>

namespace scratchpage {

namespace {

/// Whether `x` is one of `wanted`; an empty list means any.
template <class T>
bool is_any_of(const std::vector<T>& wanted, const T& x) {
  return wanted.empty() || std::find(wanted.begin(), wanted.end(), x) != wanted.end();
}

bool has_context(const json::object& in, const std::map<std::string, json::value>& wanted) {
  auto is_there = [&in](const auto& entry) { return has_scalar(in, entry.first, entry.second); };
  return std::all_of(wanted.begin(), wanted.end(), is_there);
}

/// Compares exactly: a whole number beyond 2^53 does not equal its rounded neighbour.
template <class Integer>
bool equals(Integer whole, double x) {
  constexpr double beyond = std::is_signed_v<Integer> ? 0x1p63 : 0x1p64;
  constexpr double lowest = std::is_signed_v<Integer> ? -0x1p63 : 0.0;
  return x >= lowest && x < beyond && static_cast<double>(static_cast<Integer>(x)) == x
         && static_cast<Integer>(x) == whole;
}

bool equal_numbers(const json::value& a, const json::value& b) {
  if (a.is_double() == b.is_double())
    return a == b; // Boost.JSON compares signed with unsigned, but neither with double
  const auto& whole = a.is_double() ? b : a;
  auto fraction = a.is_double() ? a.get_double() : b.get_double();
  return whole.is_int64() ? equals(whole.get_int64(), fraction)
                          : equals(whole.get_uint64(), fraction);
}

bool matches_but_for_status(const observation_filter& filter, const observation& x) {
  // Checks that are cheap and rarely pass come first.
  return is_any_of(filter.type, x.type)
         && (!filter.min_confidence || x.confidence >= *filter.min_confidence)
         && has_all_tags(x.tags, filter.tags) && is_any_of(filter.source, x.source.name)
         && is_any_of(filter.owner, x.owner)
         && (!filter.turn_id || x.source.turn_id == *filter.turn_id)
         && (!filter.created_after || x.created_at > *filter.created_after)
         && (!filter.created_before || x.created_at < *filter.created_before)
         && has_context(x.context, filter.context);
}

} // namespace

bool has_all_tags(const std::vector<std::string>& tags, const std::vector<std::string>& wanted) {
  auto is_there = [&tags](const auto& tag) {
    return std::find(tags.begin(), tags.end(), tag) != tags.end();
  };
  return std::all_of(wanted.begin(), wanted.end(), is_there);
}

bool equal_scalars(const json::value& a, const json::value& b) {
  if (a.is_number() && b.is_number())
    return equal_numbers(a, b);
  return a.kind() == b.kind() && !a.is_structured() && a == b;
}

bool has_scalar(const json::object& in, std::string_view path, const json::value& wanted) {
  // This loops over members and not over dots: a context has few members, but the path of a request
  // may have any number of dots.
  return std::any_of(in.begin(), in.end(), [&](const auto& member) {
    std::string_view name{member.key()};
    if (!path.starts_with(name))
      return false;
    auto rest = path.substr(name.size());
    if (rest.empty())
      return equal_scalars(member.value(), wanted);
    return rest.front() == '.' && member.value().is_object()
           && has_scalar(member.value().get_object(), rest.substr(1), wanted);
  });
}

bool matches(const observation_filter& filter, const observation& x) {
  return is_any_of(filter.status, x.status) && matches_but_for_status(filter, x);
}

bool is_wanted(const page_event& x, std::span<const observation_filter> filters) {
  return std::any_of(filters.begin(), filters.end(), [&](const auto& one) {
    return is_end(x.kind) ? matches_but_for_status(one, *x.observation)
                          : matches(one, *x.observation);
  });
}

} // namespace scratchpage
