#include "scratchpage/runtime/evaluation/scoring.hpp"

#include <algorithm>
#include <set>

namespace scratchpage {

namespace {

bool has(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::optional<double> share(uint64_t part, uint64_t whole) {
  if (whole == 0)
    return std::nullopt;
  return static_cast<double>(part) / static_cast<double>(whole);
}

const tally& value_in(const std::map<std::string, tally>& values, const std::string& name) {
  static const tally none;
  auto i = values.find(name);
  return i != values.end() ? i->second : none;
}

void add_row(std::vector<score_row>& rows, score_row row) {
  if (!row.counts.is_empty() || !row.against.is_empty())
    rows.push_back(std::move(row));
}

/// Adds the rows of the single values that either configuration has.
void add_values(
  std::vector<score_row>& rows, const scoring& x, const scoring* against, figure what) {
  std::set<std::string> names;
  for (const auto& [name, unused] : x.values_of(what))
    names.insert(name);
  if (against != nullptr)
    for (const auto& [name, unused] : against->values_of(what))
      names.insert(name);
  for (const auto& name : names)
    add_row(
      rows, {std::string{daemon_of(what)}, to_string(what), name, value_in(x.values_of(what), name),
              against != nullptr ? value_in(against->values_of(what), name) : tally{}});
}

} // namespace

std::string_view daemon_of(figure x) {
  switch (x) {
  case figure::urgency:
    return "router";
  case figure::waiting:
  case figure::answered:
  case figure::asks_user:
    return "clarifier";
  case figure::error_class:
  case figure::recovery_action:
    return "error_handler";
  case figure::assessment:
    return "evaluator";
  default:
    return "frontal_cortex";
  }
}

std::optional<double> tally::precision() const {
  return share(tp, tp + fp);
}

std::optional<double> tally::recall() const {
  return share(tp, tp + fn);
}

std::optional<double> tally::f1() const {
  return share(2 * tp, 2 * tp + fp + fn);
}

tally& tally::operator+=(const tally& x) {
  tp += x.tp;
  fp += x.fp;
  fn += x.fn;
  cases += x.cases;
  otherwise += x.otherwise;
  return *this;
}

bool scoring::note(figure what, bool is_right) {
  auto& all = all_[static_cast<size_t>(what)];
  ++all.cases;
  all.otherwise += is_right ? 0 : 1;
  return is_right;
}

bool scoring::count(
  figure what, const std::vector<std::string>& accepted, const std::vector<std::string>& found) {
  auto& all = all_[static_cast<size_t>(what)];
  auto& values = values_[static_cast<size_t>(what)];
  auto may_be_none = has(accepted, "");
  auto is_accepted = [&](const std::string& name) { return has(accepted, name); };
  auto any_right = std::any_of(found.begin(), found.end(), is_accepted);
  auto all_right = std::all_of(found.begin(), found.end(), is_accepted);
  for (const auto& name : std::set<std::string>{found.begin(), found.end()})
    ++(is_accepted(name) ? values[name].tp : values[name].fp);
  if (!any_right && !may_be_none)
    ++values[accepted.front()].fn;
  auto is_right = found.empty() ? may_be_none : all_right;
  auto can_be_some = std::any_of(
    accepted.begin(), accepted.end(), [](const std::string& name) { return !name.empty(); });
  auto counts_as_right = what == figure::waiting ? can_be_some : all_right;
  if (!found.empty())
    ++(counts_as_right ? all.tp : all.fp);
  if (!may_be_none && (found.empty() || !counts_as_right))
    ++all.fn;
  return note(what, is_right);
}

bool scoring::count(figure what, uint64_t wanted, uint64_t found) {
  auto both = std::min(wanted, found);
  all_[static_cast<size_t>(what)] += {both, found - both, wanted - both, 0, 0};
  return note(what, wanted == found);
}

tally scoring::of_daemon(std::string_view daemon) const {
  tally result;
  for (size_t i = 0; i < figure_count; ++i)
    if (daemon_of(static_cast<figure>(i)) == daemon)
      result += all_[i];
  return result;
}

std::vector<score_row> rows_of(const scoring& x, const scoring* against) {
  std::vector<score_row> result;
  std::string_view last;
  for (size_t i = 0; i < figure_count; ++i) {
    auto what = static_cast<figure>(i);
    auto daemon = daemon_of(what);
    if (daemon != last)
      add_row(result, {std::string{daemon}, "", "", x.of_daemon(daemon),
                        against != nullptr ? against->of_daemon(daemon) : tally{}});
    last = daemon;
    add_row(result, {std::string{daemon}, to_string(what), "", x.of(what),
                      against != nullptr ? against->of(what) : tally{}});
    add_values(result, x, against, what);
  }
  return result;
}

} // namespace scratchpage
