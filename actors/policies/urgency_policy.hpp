#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <caf/error.hpp>

#include "scratchpage/actors/policies/decisions.hpp"
#include "scratchpage/actors/language/words.hpp"
#include "scratchpage/messages/turn.hpp"

namespace scratchpage {

/// How the separate requests of one input are found.
struct request_config {
  std::vector<std::string> words;          ///< a clause that begins with one is a request
  std::vector<std::string> openers;        ///< phrases that may stand before it ("could you")
  std::vector<std::string> courtesy;       ///< lists are not counted in sentences with one
  std::vector<std::string> follow_ups;     ///< a request with one is no new one ("help with that")
  std::vector<std::string> spread;         ///< before a number or a list ("in" five cities)
  std::vector<std::string> units;          ///< plurals that are amounts, not things to do
  std::map<std::string, uint32_t> numbers; ///< number words
  uint32_t limit;                          ///< so many requests are counted at most

  static constexpr auto fields(auto all) {
    using self = request_config;
    return all(required("words", &self::words), required("openers", &self::openers),
      required("courtesy", &self::courtesy), required("follow_ups", &self::follow_ups),
      required("spread", &self::spread), required("units", &self::units),
      required("numbers", &self::numbers), required("limit", &self::limit));
  }
};

struct urgency_config {
  std::vector<std::string> alert_types;        ///< high if a live one touches the input's subject
  std::vector<std::string> confirmation_types; ///< medium if a live one touches it
  std::vector<std::string> danger;             ///< words and phrases in the input: high
  std::vector<std::string> haste;              ///< words and phrases in the input: high
  std::vector<std::string> soft_haste;         ///< words and phrases in the input: medium
  std::vector<std::string> stop_words;         ///< ignored when subjects are compared
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

/// Finds the separate requests of an input (contract 7, Router): clauses that begin with a request
/// word, questions, and things that are requested by a number or a list ("weather in five cities",
/// "in Paris, London and Rome"). It reads the first `reading_limits::input_bytes`, in linear time.
class request_counter {
public:
  explicit request_counter(const request_config& config);

  std::vector<std::string> requests(std::string_view input) const;

private:
  struct token;
  struct clause;
  struct sentence;

  bool adds_nothing(const std::string& request) const;
  static std::vector<sentence> sentences_of(std::string_view input);
  std::vector<std::string> in_sentence(const sentence& one) const;
  std::vector<clause> in_clauses(const sentence& one) const;
  std::pair<size_t, std::vector<std::string>> spread_over(const sentence& one) const;
  std::vector<std::string> counted_at(const std::vector<token>& tokens, size_t after) const;
  std::vector<std::string> listed_at(const std::vector<token>& tokens, size_t after) const;
  uint32_t number(const std::string& word) const;
  bool is_countable(const std::string& word) const;
  bool asks(const std::vector<std::string>& words, size_t position) const;

  phrase_list words_;
  phrase_list openers_;
  phrase_list courtesy_;
  phrase_list follow_ups_;
  std::vector<std::string> spread_;
  std::vector<std::string> units_;
  std::map<std::string, uint32_t> numbers_;
  uint32_t limit_;
};

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
  request_counter requests_;
};

} // namespace scratchpage
