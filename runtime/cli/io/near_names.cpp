#include "scratchpage/runtime/cli/io/near_names.hpp"

#include <algorithm>
#include <cctype>
#include <limits>

namespace scratchpage {

namespace {

constexpr size_t longest_name = 64; // a longer text is no name that somebody mistyped
constexpr size_t least_beginning = 3;

std::string name_for_comparison(std::string_view text) {
  std::string result{text};
  std::transform(result.begin(), result.end(), result.begin(), [](char c) {
    return c == '-' ? '_' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  });
  return result;
}

} // namespace

size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<size_t>> cost(a.size() + 1, std::vector<size_t>(b.size() + 1));
  for (size_t i = 0; i <= a.size(); ++i)
    for (size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        cost[i][j] = i + j;
        continue;
      }
      cost[i][j] = std::min({cost[i - 1][j] + 1, cost[i][j - 1] + 1,
        cost[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0u : 1u)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        cost[i][j] = std::min(cost[i][j], cost[i - 2][j - 2] + 1);
    }
  return cost[a.size()][b.size()];
}

std::string nearest_name(std::string_view given, const std::vector<std::string>& names) {
  if (given.empty() || given.size() > longest_name)
    return {};
  auto text = name_for_comparison(given);
  auto most = std::max<size_t>(1, text.size() / 3);
  auto best = std::numeric_limits<size_t>::max();
  std::string result;
  for (const auto& name : names) {
    if (name.size() > longest_name)
      continue;
    auto other = name_for_comparison(name);
    auto distance = edit_distance(text, other);
    if (text.size() >= least_beginning && other.starts_with(text))
      distance = std::min<size_t>(distance, 1);
    if (distance <= most && distance < best) {
      best = distance;
      result = name;
    }
  }
  return result;
}

std::string did_you_mean(std::string_view given, const std::vector<std::string>& names) {
  auto meant = nearest_name(given, names);
  return meant.empty() ? "" : "; did you mean '" + meant + "'?";
}

} // namespace scratchpage
