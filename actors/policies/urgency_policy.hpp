#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <caf/error.hpp>

#include "scratchpage/actors/language/words.hpp"
#include "scratchpage/actors/policies/decisions.hpp"
#include "scratchpage/actors/policies/request_counter.hpp"
#include "scratchpage/actors/policies/urgency_reading.hpp"
#include "scratchpage/messages/turn.hpp"

namespace scratchpage {

struct urgency_config {
  std::vector<std::string> alert_types;        ///< high if a live one touches the input's subject
  std::vector<std::string> confirmation_types; ///< medium if a live one touches it
  std::vector<std::string> danger;     ///< words and phrases: high, unless the meaning is low
  std::vector<std::string> haste;      ///< words and phrases: high, unless the meaning is low
  std::vector<std::string> soft_haste; ///< words and phrases: medium, unless the meaning is low
  std::vector<std::string> stop_words; ///< ignored when subjects are compared
  std::map<std::string, std::vector<std::string>> topics; ///< words that share a subject
  uint32_t min_word_length;                               ///< bytes; shorter words are ignored
  uint32_t high_requests;                                 ///< from so many requests on: high
  uint32_t medium_requests;                               ///< from so many requests on: medium
  request_config requests;

  static constexpr auto fields(auto all) {
    using self = urgency_config;
    return all(required("alert_types", &self::alert_types),
      required("confirmation_types", &self::confirmation_types), required("danger", &self::danger),
      required("haste", &self::haste), required("soft_haste", &self::soft_haste),
      required("stop_words", &self::stop_words), required("topics", &self::topics),
      required("min_word_length", &self::min_word_length),
      required("high_requests", &self::high_requests),
      required("medium_requests", &self::medium_requests), required("requests", &self::requests));
  }
};

caf::error validate(const urgency_config& x, std::string_view path);

/// Selects the live observations that `urgency_policy` compares an input with.
observation_filter alerts_and_questions(const urgency_config& x);

/// The Router's rules (contract 7): how urgent an input is, and why.
class urgency_policy {
public:
  explicit urgency_policy(urgency_config config);

  /// `live` are the page's live observations, in any order and of any type. `reading_limits` says
  /// how much of the input, and how many alerts and questions, are read; the newest ones of each
  /// source come first.
  urgency_assessment assess(std::string_view input, const std::vector<observation_ptr>& live) const;

private:
  class grading;
  struct subject {
    std::set<std::string> stems;
    std::set<std::string> topics;
  };

  bool is_alert(const observation& x) const;
  std::vector<const observation*> in_reach(const std::vector<observation_ptr>& live) const;
  void weigh(
    const urgency_meaning& meaning, const std::vector<std::string>& words, grading& grade) const;
  void compare(
    const subject& input, const std::vector<observation_ptr>& live, grading& grade) const;
  subject subject_of(const std::vector<std::string>& words) const;
  subject subject_of(const observation& x) const;
  std::string touch(const subject& input, const observation& x) const;

  urgency_config config_;
  phrase_list danger_;
  phrase_list haste_;
  phrase_list soft_haste_;
  content_words content_;
  std::map<std::string, std::set<std::string>> topics_; ///< name to stems
  /// Name to words of scripts without spaces, which are looked for within words.
  std::map<std::string, std::vector<std::string>> unspaced_topics_;
  request_counter requests_;
};

} // namespace scratchpage
