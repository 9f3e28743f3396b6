#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace scratchpage::serve {

/// Where a route's arguments come from, beside its path.
enum class arguments_in : uint8_t { nothing, query, body };

/// An operation (contract 3) as a path. A name in braces is an argument, but `agent`
/// and `thread`, which say whose page and whose scratchbook are meant.
struct route {
  std::string_view method;
  std::string_view path;
  std::string_view operation;
  arguments_in from = arguments_in::nothing;
  uint32_t status = 200; ///< when it is done
};

/// All of REST; what answers requests and what describes it read the same list.
const std::vector<route>& all_routes();

/// What is at a path.
struct route_match {
  const route* found = nullptr; ///< null: there is none for this method
  std::map<std::string, std::string, std::less<>> parameters;
  std::vector<std::string_view> methods; ///< that the path has; none: there is no such path
};

/// `segments` as in http/target.hpp. HEAD is as GET.
route_match match_route(std::string_view method, const std::vector<std::string>& segments);

/// The names in braces, in their order.
std::vector<std::string_view> parameters_of(const route& x);

} // namespace scratchpage::serve
