#include "scratchpage/actors/policies/urgency_policy.hpp"

#include <algorithm>
#include <array>
#include <tuple>
#include <utility>

#include "scratchpage/actors/language/words.hpp"
#include "scratchpage/actors/policies/urgency_reading.hpp"
#include "scratchpage/messages/caller.hpp"
#include "scratchpage/messages/config_check.hpp"
#include "scratchpage/messages/text/utf8.hpp"

namespace scratchpage {

namespace {

std::string first_common(const std::set<std::string>& xs, const std::set<std::string>& ys) {
  for (const auto& x : xs)
    if (ys.contains(x))
      return x;
  return {};
}

/// Whether the word is of a script that writes no spaces between words.
bool is_unspaced(const std::string& word) {
  return !word.empty() && static_cast<unsigned char>(word.front()) >= 0xE3;
}

/// Who an alert's words are charged to: relayed words are charged to the relay.
using speaker = std::pair<source_kind, std::string_view>;

speaker speaker_of(const source& x) {
  if (!x.relayed_by.empty())
    return {source_kind::daemon, x.relayed_by.text()};
  return {x.kind, x.name};
}

bool is_of_others(const observation& x) {
  return !is_of_ensemble(x.source) && !is_from_person(x);
}

/// Whether the alert is about a call of the Executor, which asks or decides about it itself.
bool is_about_own_call(const observation& x) {
  return x.source.kind == source_kind::daemon && x.source.name == "executor";
}

bool is_newer(const observation* a, const observation* b) {
  auto age = [](const observation& x) {
    return std::tuple{x.created_at, x.observation_id.size(), std::string_view{x.observation_id}};
  };
  return age(*a) > age(*b);
}

/// The tags that are read.
std::vector<std::string_view> tags_in_reach(const observation& x) {
  std::vector<std::string_view> result;
  size_t bytes = 0;
  for (const auto& tag : x.tags) {
    bytes += tag.size();
    if (bytes > reading_limits::observation_bytes)
      break;
    result.push_back(tag);
  }
  return result;
}

size_t bytes_in_reach(const observation& x) {
  auto result = std::min(x.content.size(), reading_limits::observation_bytes);
  for (auto tag : tags_in_reach(x))
    result += tag.size();
  return result;
}

} // namespace

/// Collects reasons; the level is that of the strongest.
class urgency_policy::grading {
public:
  void add(urgency level, std::string reason) {
    auto& reasons = level == urgency::high ? high_ : medium_;
    reasons.push_back(std::move(reason));
  }

  /// An alert that people are told of.
  void warn_of(const observation& alert) { alerts_.push_back(alert.observation_id); }

  /// A reason that says something about the level and does not raise it.
  void note(std::string reason) { notes_.push_back(std::move(reason)); }

  urgency_assessment take(std::vector<std::string> requests) {
    urgency_assessment result;
    result.level = !high_.empty()     ? urgency::high
                   : !medium_.empty() ? urgency::medium
                                      : urgency::low;
    result.reasons = std::move(high_);
    result.reasons.insert(result.reasons.end(), medium_.begin(), medium_.end());
    if (result.reasons.empty())
      result.reasons.push_back("nothing calls for haste");
    result.reasons.insert(result.reasons.end(), notes_.begin(), notes_.end());
    result.requests = std::move(requests);
    result.alerts = std::move(alerts_);
    return result;
  }

private:
  std::vector<std::string> high_;
  std::vector<std::string> medium_;
  std::vector<std::string> notes_;
  std::vector<std::string> alerts_;
};

caf::error validate(const urgency_config& x, std::string_view path) {
  config_check check{path};
  check.words("alert_types", x.alert_types)
    .words("confirmation_types", x.confirmation_types)
    .words("danger", x.danger)
    .words("haste", x.haste)
    .words("soft_haste", x.soft_haste)
    .words("stop_words", x.stop_words)
    .range("min_word_length", x.min_word_length, 1, 64)
    .range("medium_requests", x.medium_requests, 1, 1000)
    .range("high_requests", x.high_requests, x.medium_requests, 1000)
    .also(validate(x.requests, sub_path(path, "requests")));
  for (const auto& [name, words] : x.topics)
    check.some_words("topics." + name, words);
  return check.error();
}

observation_filter alerts_and_questions(const urgency_config& x) {
  observation_filter result;
  result.type = x.alert_types;
  result.type.insert(result.type.end(), x.confirmation_types.begin(), x.confirmation_types.end());
  return result;
}

urgency_policy::urgency_policy(urgency_config config)
  : config_{std::move(config)},
    danger_{config_.danger},
    haste_{config_.haste},
    soft_haste_{config_.soft_haste},
    content_{config_.stop_words, config_.min_word_length},
    requests_{config_.requests} {
  for (const auto& [name, words] : config_.topics)
    for (const auto& word : words)
      if (is_unspaced(word))
        unspaced_topics_[name].push_back(word);
      else
        for (const auto& part : words_of(word))
          topics_[name].insert(stem(part));
}

urgency_assessment urgency_policy::assess(
  std::string_view input, const std::vector<observation_ptr>& live) const {
  grading grade;
  auto read = utf8::prefix(input, reading_limits::input_bytes);
  auto words = words_of(read);
  compare(subject_of(words), live, grade);
  auto meaning = words.empty() ? urgency_meaning{} : read_urgency(read);
  weigh(meaning, words, grade);
  auto requests = requests_.requests(input);
  if (requests.size() >= config_.medium_requests)
    grade.add(requests.size() >= config_.high_requests ? urgency::high : urgency::medium,
      std::to_string(requests.size()) + " separate requests");
  return grade.take(std::move(requests));
}

/// Adds reasons for what the input means. Configured words raise the level, unless the meaning is
/// clearly low: they may be talked about, negated or quoted.
void urgency_policy::weigh(
  const urgency_meaning& meaning, const std::vector<std::string>& words, grading& grade) const {
  if (meaning.level() != urgency::low)
    grade.add(meaning.level(), meaning.level() == urgency::high
                                 ? "tells of danger or loss that is going on"
                                 : "presses today or tomorrow");
  if (meaning.is_unsure())
    grade.note("unsure: may also be " + to_string(meaning.rival()));
  if (meaning.is_clearly_low())
    return;
  if (const auto* found = danger_.find_in(words))
    grade.add(urgency::high, "speaks of danger (\"" + *found + "\")");
  if (const auto* found = haste_.find_in(words))
    grade.add(urgency::high, "asks for haste (\"" + *found + "\")");
  if (const auto* found = soft_haste_.find_in(words))
    grade.add(urgency::medium, "would like it soon (\"" + *found + "\")");
}

/// Adds a reason for each alert or question that touches the input's subject. Alerts beyond
/// `reading_limits::reasons` are not compared, nor are questions: they would not change the level.
void urgency_policy::compare(
  const subject& input, const std::vector<observation_ptr>& live, grading& grade) const {
  if (input.stems.empty())
    return;
  std::array<size_t, 2> told{}; // questions, and alerts
  for (const auto* one : in_reach(live)) {
    auto alerts = is_alert(*one);
    if (told[alerts ? 1 : 0] == reading_limits::reasons)
      continue;
    auto shared = touch(input, *one);
    if (shared.empty())
      continue;
    ++told[alerts ? 1 : 0];
    grade.add(alerts ? urgency::high : urgency::medium,
      one->type + " " + one->observation_id + " touches the subject ("
        + utf8::shortened(shared, reading_limits::quoted_bytes) + ")");
    if (alerts && !is_about_own_call(*one))
      grade.warn_of(*one);
  }
}

bool urgency_policy::is_alert(const observation& x) const {
  return contains(config_.alert_types, x.type);
}

/// The alerts and questions that are read, in this order: those of persons and of the ensemble
/// first, then as many bytes of one source as of another, so that no source crowds out the others.
std::vector<const observation*> urgency_policy::in_reach(
  const std::vector<observation_ptr>& live) const {
  std::vector<const observation*> all;
  for (const auto& one : live)
    if (one && (is_alert(*one) || contains(config_.confirmation_types, one->type)))
      all.push_back(one.get());
  std::sort(all.begin(), all.end(), is_newer);
  std::map<speaker, size_t> said; // bytes
  std::vector<std::tuple<bool, size_t, const observation*>> in_turn;
  for (const auto* one : all) {
    auto& bytes = said[speaker_of(one->source)];
    bytes += bytes_in_reach(*one);
    if (bytes <= reading_limits::source_bytes)
      in_turn.emplace_back(is_of_others(*one), bytes, one);
  }
  std::stable_sort(in_turn.begin(), in_turn.end(), [](const auto& a, const auto& b) {
    return std::tie(std::get<0>(a), std::get<1>(a)) < std::tie(std::get<0>(b), std::get<1>(b));
  });
  std::vector<const observation*> result;
  size_t bytes = 0;
  for (const auto& [others, until, one] : in_turn) {
    bytes += bytes_in_reach(*one);
    if (bytes > reading_limits::live_bytes)
      break;
    result.push_back(one);
  }
  return result;
}

urgency_policy::subject urgency_policy::subject_of(const std::vector<std::string>& words) const {
  subject result;
  result.stems = content_.stems(words);
  for (const auto& [name, stems] : topics_)
    if (!first_common(result.stems, stems).empty())
      result.topics.insert(name);
  for (const auto& word : words)
    if (is_unspaced(word))
      for (const auto& [name, parts] : unspaced_topics_)
        if (has_part(word, parts))
          result.topics.insert(name);
  return result;
}

urgency_policy::subject urgency_policy::subject_of(const observation& x) const {
  auto words = words_of(utf8::prefix(x.content, reading_limits::observation_bytes));
  for (auto tag : tags_in_reach(x))
    for (auto& word : words_of(tag))
      words.push_back(std::move(word));
  return subject_of(words);
}

/// A stem or topic that both are about, or "".
std::string urgency_policy::touch(const subject& input, const observation& x) const {
  auto about = subject_of(x);
  auto shared = first_common(input.stems, about.stems);
  return !shared.empty() ? shared : first_common(input.topics, about.topics);
}

} // namespace scratchpage
