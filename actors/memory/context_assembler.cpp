#include "scratchpage/actors/memory/context_assembler.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>
#include <set>
#include <tuple>
#include <utility>

#include "scratchpage/actors/memory/joint_ranking.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/limits.hpp"
#include "scratchpage/messages/text/display_text.hpp"
#include "scratchpage/messages/text/tokens.hpp"
#include "scratchpage/messages/text/utf8.hpp"
#include "scratchpage/persistence/memories/semantic_store.hpp"

namespace scratchpage {

namespace {

/// The names of the parts and their headings.
constexpr std::array<std::pair<std::string_view, std::string_view>, 4> headings{{
  {"observations", "Observations:"},
  {"goals", "Goals:"},
  {"facts", "Facts:"},
  {"episodes", "Earlier turns:"},
}};

std::string_view heading_of(std::string_view part) {
  auto is_it = [part](const auto& x) { return x.first == part; };
  auto found = std::find_if(headings.begin(), headings.end(), is_it);
  return found == headings.end() ? std::string_view{} : found->second;
}

/// Formats as "0.92" in every locale.
std::string two_digits(double x) {
  std::array<char, 32> buffer;
  auto* end = buffer.data() + buffer.size();
  auto result = std::to_chars(buffer.data(), end, x, std::chars_format::fixed, 2);
  return {buffer.data(), result.ptr};
}

std::string provenance(const source& x) {
  auto result = to_string(x.kind) + " " + shown_name(x.name);
  return x.relayed_by.empty() ? result : result + " via " + shown_name(x.relayed_by);
}

std::string line_of(const observation& x, size_t max_bytes) {
  auto line = "- [" + shown_name(x.observation_id) + "] " + shown_name(x.type);
  if (x.status != status::active)
    line += ", " + to_string(x.status);
  line += ", " + two_digits(x.confidence) + ", " + provenance(x.source) + ": ";
  return line + quoted(x.content, max_bytes) + "\n";
}

/// 0 for questions that wait for a person, 1 for alerts, 2 for all others.
int place_of(const observation& x) {
  if (!is_live(x.status))
    return 2;
  if (x.type == "pending_confirmation" && x.metadata.contains("kind"))
    return 0;
  return x.type == "alert" || x.type == "risk_alert" || x.type == "security_alert" ? 1 : 2;
}

bool is_open(const pending_action& x) {
  return x.status == action_status::pending || x.status == action_status::in_progress;
}

std::string line_of(const goal& x, size_t max_bytes) {
  auto line = "- [" + shown_name(x.goal_id) + "] " + to_string(x.priority) + ", "
              + to_string(x.status) + ", " + two_digits(x.progress) + " done";
  if (!x.observation_id.empty())
    line += ", from " + shown_name(x.observation_id);
  if (!x.evidence.empty() && !x.evidence.front().source.empty())
    line += ", said by " + quoted(x.evidence.front().source, max_bytes);
  line += ": " + quoted(x.title, max_bytes);
  auto next = std::find_if(x.pending_actions.begin(), x.pending_actions.end(), is_open);
  if (next != x.pending_actions.end())
    line += ", next (" + to_string(next->assigned_to) + "): "
            + quoted(next->description.empty() ? next->action_type : next->description, max_bytes);
  return line + "\n";
}

std::string line_of(const fact& x, size_t max_bytes) {
  auto line = "- [" + shown_name(x.fact_id) + "] " + two_digits(x.confidence) + ", seen "
              + std::to_string(x.support) + " times";
  if (x.contradicted > 0)
    line += ", contradicted " + std::to_string(x.contradicted) + " times";
  if (!x.observation_ids.empty())
    line += ", last from " + shown_name(x.observation_ids.back());
  if (!x.sources.empty())
    line += ", said by " + quoted(x.sources.back(), max_bytes);
  return line + ": " + quoted(x.statement, max_bytes) + "\n";
}

/// Ranks open goals: in progress, then blocked, then not begun.
int rank_of(goal_status x) {
  return x == goal_status::in_progress ? 2 : x == goal_status::blocked ? 1 : 0;
}

bool has_ended(const goal& x) {
  return x.status == goal_status::completed || x.status == goal_status::abandoned;
}

/// The numbers from 0, those with the highest ranks first.
std::vector<size_t> closest_first(const std::vector<double>& ranks) {
  std::vector<size_t> result(ranks.size());
  std::iota(result.begin(), result.end(), size_t{0});
  std::ranges::stable_sort(result, std::greater<>{}, [&](size_t i) { return ranks[i]; });
  return result;
}

} // namespace

caf::error validate(const context_config& config) {
  std::set<std::string> named;
  double sum = 0;
  for (const auto& x : config.shares) {
    if (heading_of(x.part).empty() || !named.insert(x.part).second)
      return fail(errc::invalid_request, "shares.part",
        "expected observations, goals, facts or episodes, each at most once, got " + x.part);
    if (!(x.share >= 0))
      return fail(errc::invalid_request, "shares.share", "expected a number from 0 to 1");
    sum += x.share;
  }
  if (!(sum <= 1 + 1e-9))
    return fail(errc::invalid_request, "shares", "expected a sum of at most 1");
  return {};
}

context_assembler::context_assembler(
  context_config config, token_counter count, shared_settings<text_config> text)
  : config_{std::move(config)},
    count_{std::move(count)},
    text_{std::move(text)} {}

/// What the observations and facts in the text say.
class context_assembler::told {
public:
  void add(const entry_line& x) {
    sayings_.insert(x.says);
    if (!x.id.empty())
      observations_.emplace(x.id, x.says);
  }

  /// Whether an entry that is not in the text says what is told. A fact may be a part of what one
  /// of its observations says. Questions and alerts are told in any case.
  bool repeats(const entry_line& x) const {
    if (x.says.empty() || x.comes_first)
      return false;
    auto has_it = [&](const std::string& id) {
      auto known = observations_.find(id);
      return known != observations_.end() && known->second.find(x.says) != std::string::npos;
    };
    return sayings_.contains(x.says) || std::any_of(x.from.begin(), x.from.end(), has_it);
  }

private:
  std::set<std::string> sayings_;
  std::map<std::string, std::string> observations_; // what they say, by id
};

uint64_t context_assembler::filled_part::tokens() const {
  uint64_t result = 0;
  for (const auto& x : entries)
    result += x.cost;
  auto is_shown = [](const entry_line& x) { return x.shown != nullptr; };
  return result + (std::any_of(entries.begin(), entries.end(), is_shown) ? heading_cost : 0);
}

/// How close the entries of each part are to the prompt, in the order of the material.
struct context_assembler::ranks {
  std::vector<double> observations;
  std::vector<double> goals;
  std::vector<double> facts;
  std::vector<double> episodes; ///< of the closest observation of each
};

context_assembler::ranks context_assembler::ranks_of(
  const context_material& material, std::string_view prompt) const {
  joint_ranking all{text_};
  auto numbers_of = [&all](const auto& xs) {
    std::vector<std::vector<size_t>> result; // of the texts of each entry
    for (const auto& x : xs)
      if constexpr (requires { x.observations; }) {
        auto& texts = result.emplace_back();
        for (const auto& one : x.observations)
          texts.push_back(all.add(one));
      } else if constexpr (requires { bool{x}; }) {
        result.push_back(x ? std::vector{all.add(x)} : std::vector<size_t>{});
      } else {
        result.push_back({all.add(x)});
      }
    return result;
  };
  auto observations = numbers_of(material.observations);
  auto goals = numbers_of(material.goals);
  auto facts = numbers_of(material.facts);
  auto episodes = numbers_of(material.episodes);
  // Only the beginning of a long prompt counts, because each of its words takes time.
  auto ranked = all.rank(utf8::prefix(prompt, filter_limits::query_bytes));
  auto best_of = [&ranked](const std::vector<std::vector<size_t>>& entries) {
    std::vector<double> result;
    for (const auto& texts : entries) {
      auto& best = result.emplace_back(0);
      for (auto i : texts)
        best = std::max(best, ranked[i]);
    }
    return result;
  };
  ranks result{best_of(observations), best_of(goals), best_of(facts), best_of(episodes)};
  keep_order(result.observations);
  return result;
}

assembled_context context_assembler::assemble(
  const context_material& material, std::string_view prompt, uint32_t budget) const {
  auto close = ranks_of(material, prompt);
  std::vector<filled_part> parts;
  told so_far;
  double share = 0;
  uint64_t used = 0;
  for (const auto& x : config_.shares) {
    // What all parts so far may use, less what they have used: so the next part gets what is left
    // over, also by rounding.
    share += x.share;
    auto limit = std::min<double>(budget, std::floor(share * budget + 1e-6));
    auto room = limit > static_cast<double>(used) ? static_cast<uint64_t>(limit) - used : 0;
    auto of_first = std::max(room, (budget - std::min<uint64_t>(used, budget)) / 2);
    auto& part = parts.emplace_back(part_of(x.part, material, prompt, close));
    part.report.budget = static_cast<uint32_t>(room);
    for (auto& entry : part.entries)
      show(part, entry, entry.comes_first ? of_first : room, so_far);
    used += part.used;
  }
  use_up(parts, budget - std::min<uint64_t>(used, budget), so_far);
  auto join = [&parts] {
    std::string text;
    for (const auto& part : parts) {
      auto size = text.size();
      for (const auto& x : part.entries)
        if (x.shown != nullptr)
          text.append(text.size() == size ? part.heading : "").append(*x.shown);
    }
    return text;
  };
  assembled_context result;
  result.text = join();
  // A counter may count more tokens in the whole text than in its lines.
  auto whole = count_(result.text);
  while (whole > budget && drop_last(parts)) {
    result.text = join();
    whole = count_(result.text);
  }
  for (auto& part : parts) {
    report(part, so_far);
    result.tokens += part.report.tokens;
    result.parts.push_back(std::move(part.report));
  }
  result.tokens = std::max(result.tokens, whole);
  return result;
}

context_assembler::filled_part context_assembler::part_of(const std::string& name,
  const context_material& material, std::string_view prompt, const ranks& close) const {
  filled_part result;
  result.report.name = name;
  result.heading = std::string{heading_of(name)} + "\n";
  result.heading_cost = count_(result.heading);
  result.entries = entries_of(name, material, prompt, close);
  return result;
}

/// Shows an entry that is left out, or more of one that is shortened, if there is room. `budget` is
/// that of the part.
void context_assembler::show(filled_part& in, entry_line& x, uint64_t budget, told& so_far) const {
  auto is_new = x.shown == nullptr;
  if (x.shown == &x.full || (is_new && so_far.repeats(x)))
    return;
  auto others = (in.used == 0 ? in.heading_cost : in.used) - x.cost;
  for (const auto* line : {&x.full, &x.brief}) {
    auto cost = count_(*line);
    if (others + cost > budget || (!is_new && line == &x.brief))
      continue;
    x.shown = line;
    x.cost = cost;
    in.used = others + cost;
    break;
  }
  if (is_new && x.shown != nullptr)
    so_far.add(x);
}

/// Gives what is left of the budget to the entries of all parts: questions and alerts, then the
/// closest ones.
void context_assembler::use_up(std::vector<filled_part>& parts, uint64_t left, told& so_far) const {
  std::vector<std::pair<filled_part*, entry_line*>> all;
  for (auto& part : parts)
    for (auto& entry : part.entries)
      all.emplace_back(&part, &entry);
  std::ranges::stable_sort(all, std::greater<>{}, [](const auto& x) {
    return std::pair{x.second->comes_first, x.second->rank};
  });
  for (auto [part, entry] : all) {
    auto before = part->used;
    show(*part, *entry, before + left, so_far);
    left -= part->used - before;
  }
}

/// Leaves out the last entry. Returns false if there is none.
bool context_assembler::drop_last(std::vector<filled_part>& parts) {
  for (auto part = parts.rbegin(); part != parts.rend(); ++part)
    for (auto x = part->entries.rbegin(); x != part->entries.rend(); ++x)
      if (std::exchange(x->shown, nullptr) != nullptr) {
        x->cost = 0;
        x->says.clear(); // it is not told any more
        return true;
      }
  return false;
}

void context_assembler::report(filled_part& x, const told& so_far) {
  for (const auto& entry : x.entries) {
    if (entry.shown != nullptr)
      ++x.report.entries;
    else if (!so_far.repeats(entry))
      ++x.report.left_out;
  }
  x.report.tokens = static_cast<uint32_t>(x.tokens());
  x.report.budget = std::max(x.report.budget, x.report.tokens);
}

std::vector<context_assembler::entry_line> context_assembler::entries_of(const std::string& part,
  const context_material& material, std::string_view prompt, const ranks& close) const {
  if (part == "observations")
    return observations(material.observations, prompt, close.observations);
  if (part == "goals")
    return goals(material.goals, close.goals);
  if (part == "facts")
    return facts(material.facts, close.facts);
  return episodes(material.episodes, close.episodes);
}

std::vector<context_assembler::entry_line> context_assembler::observations(
  const std::vector<observation_ptr>& xs, std::string_view prompt,
  const std::vector<double>& close) const {
  std::vector<entry_line> result;
  result.reserve(xs.size());
  for (auto wanted : {0, 1, 2})
    for (size_t i = 0; i < xs.size(); ++i)
      if (const auto& x = xs[i]; x && x->content != prompt && place_of(*x) == wanted)
        result.push_back({scratchpage::line_of(*x, config_.max_content_bytes),
          scratchpage::line_of(*x, config_.short_content_bytes), close[i], wanted < 2,
          normalised_statement(x->content), x->observation_id});
  return result;
}

std::vector<context_assembler::entry_line> context_assembler::goals(
  const std::vector<goal>& xs, const std::vector<double>& close) const {
  std::vector<size_t> order;
  for (size_t i = 0; i < xs.size(); ++i)
    if (!has_ended(xs[i]))
      order.push_back(i);
  std::ranges::stable_sort(order, [&](size_t a, size_t b) {
    return std::forward_as_tuple(xs[a].priority, close[a], rank_of(xs[a].status), xs[b].goal_id)
           > std::forward_as_tuple(xs[b].priority, close[b], rank_of(xs[b].status), xs[a].goal_id);
  });
  std::vector<entry_line> result;
  result.reserve(order.size());
  for (auto i : order)
    result.push_back({scratchpage::line_of(xs[i], config_.max_content_bytes),
      scratchpage::line_of(xs[i], config_.short_content_bytes), close[i]});
  return result;
}

std::vector<context_assembler::entry_line> context_assembler::facts(
  const std::vector<fact>& xs, const std::vector<double>& close) const {
  std::vector<entry_line> result;
  result.reserve(xs.size());
  for (auto i : closest_first(close))
    result.push_back({scratchpage::line_of(xs[i], config_.max_content_bytes),
      scratchpage::line_of(xs[i], config_.short_content_bytes), close[i], false,
      normalised_statement(xs[i].statement), {}, xs[i].observation_ids});
  return result;
}

std::vector<context_assembler::entry_line> context_assembler::episodes(
  const std::vector<episode>& xs, const std::vector<double>& close) const {
  std::vector<entry_line> result;
  result.reserve(xs.size());
  for (auto i : closest_first(close))
    result.push_back({line_of(xs[i], config_.max_content_bytes),
      line_of(xs[i], config_.short_content_bytes), close[i]});
  return result;
}

std::string context_assembler::line_of(const episode& x, size_t max_bytes) const {
  std::vector<const observation*> told;
  for (const auto& type : config_.highlights)
    for (const auto& one : x.observations)
      if (told.size() < config_.max_highlights && one->type == type)
        told.push_back(one.get());
  if (told.empty() && !x.observations.empty())
    told.push_back(x.observations.front().get());
  auto line = "- [" + shown_name(x.turn_id) + "] " + to_rfc3339(x.ended_at) + ", "
              + std::to_string(x.observations.size()) + " observations";
  auto separator = ": ";
  for (const auto* one : told) {
    line += separator + shown_name(one->type) + ", " + provenance(one->source) + ": "
            + quoted(one->content, max_bytes);
    separator = "; ";
  }
  return line + "\n";
}

} // namespace scratchpage
