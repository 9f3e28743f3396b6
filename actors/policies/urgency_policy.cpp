#include "scratchpage/actors/policies/urgency_policy.hpp"

#include <algorithm>
#include <utility>

#include "scratchpage/messages/config_check.hpp"

namespace scratchpage {

namespace {

std::string first_common(const std::set<std::string>& xs, const std::set<std::string>& ys) {
  for (const auto& x : xs)
    if (ys.contains(x))
      return x;
  return {};
}

caf::error validate(const request_config& x, std::string_view path) {
  return config_check{path}
    .some_words("words", x.words)
    .words("openers", x.openers)
    .words("courtesy", x.courtesy)
    .words("follow_ups", x.follow_ups)
    .words("spread", x.spread)
    .words("units", x.units)
    .range("limit", x.limit, 1, 1000)
    .error();
}

/// Collects reasons; the level is that of the strongest.
class grading {
public:
  void add(urgency level, std::string reason) {
    auto& reasons = level == urgency::high ? high_ : medium_;
    reasons.push_back(std::move(reason));
  }

  urgency_assessment take(std::vector<std::string> requests) {
    urgency_assessment result;
    result.level = !high_.empty()     ? urgency::high
                   : !medium_.empty() ? urgency::medium
                                      : urgency::low;
    result.reasons = std::move(high_);
    result.reasons.insert(result.reasons.end(), medium_.begin(), medium_.end());
    if (result.reasons.empty())
      result.reasons.push_back("nothing calls for haste");
    result.requests = std::move(requests);
    return result;
  }

private:
  std::vector<std::string> high_;
  std::vector<std::string> medium_;
};

} // namespace

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

urgency_policy::urgency_policy(urgency_config config)
  : config_{std::move(config)},
    danger_{config_.danger},
    haste_{config_.haste},
    soft_haste_{config_.soft_haste},
    content_{config_.stop_words, config_.min_word_length},
    requests_{config_.requests} {
  for (const auto& [name, words] : config_.topics)
    for (const auto& word : words)
      for (const auto& part : words_of(word))
        topics_[name].insert(stem(part));
}

urgency_assessment urgency_policy::assess(
  std::string_view input, const std::vector<observation_ptr>& live) const {
  grading grade;
  auto words = words_of(input);
  auto about = subject_of(words);
  for (const auto& one : live) {
    auto alerts = one && contains(config_.alert_types, one->type);
    if (!alerts && !(one && contains(config_.confirmation_types, one->type)))
      continue;
    if (auto shared = touch(about, *one); !shared.empty())
      grade.add(alerts ? urgency::high : urgency::medium,
        one->type + " " + one->observation_id + " touches the subject (" + shared + ")");
  }
  if (const auto* found = danger_.find_in(words))
    grade.add(urgency::high, "speaks of danger (\"" + *found + "\")");
  if (const auto* found = haste_.find_in(words))
    grade.add(urgency::high, "asks for haste (\"" + *found + "\")");
  auto requests = requests_.requests(input);
  if (requests.size() >= config_.medium_requests)
    grade.add(requests.size() >= config_.high_requests ? urgency::high : urgency::medium,
      std::to_string(requests.size()) + " separate requests");
  if (const auto* found = soft_haste_.find_in(words))
    grade.add(urgency::medium, "would like it soon (\"" + *found + "\")");
  return grade.take(std::move(requests));
}

urgency_policy::subject urgency_policy::subject_of(const std::vector<std::string>& words) const {
  subject result;
  result.stems = content_.stems(words);
  for (const auto& [name, stems] : topics_)
    if (!first_common(result.stems, stems).empty())
      result.topics.insert(name);
  return result;
}

urgency_policy::subject urgency_policy::subject_of(const observation& x) const {
  auto words = words_of(x.content);
  for (const auto& tag : x.tags)
    for (auto& word : words_of(tag))
      words.push_back(std::move(word));
  return subject_of(words);
}

/// What both are about, or "".
std::string urgency_policy::touch(const subject& input, const observation& x) const {
  auto about = subject_of(x);
  auto shared = first_common(input.stems, about.stems);
  return !shared.empty() ? shared : first_common(input.topics, about.topics);
}

} // namespace scratchpage
