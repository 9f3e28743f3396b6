#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <caf/error.hpp>

#include "scratchpage/actors/language/words.hpp"
#include "scratchpage/messages/fields.hpp"

namespace scratchpage {

/// How the separate requests of one input are found.
struct request_config {
  std::vector<std::string> words;          ///< a clause that begins with one is a request
  std::vector<std::string> determiners;    ///< after a verb ("drop the", "mail it")
  std::vector<std::string> no_verbs;       ///< words before a determiner that are no verbs
  std::vector<std::string> openers;        ///< phrases that may stand before it ("could you")
  std::vector<std::string> courtesy;       ///< lists are not counted in sentences with one
  std::vector<std::string> follow_ups;     ///< a request with one is no new one ("help with that")
  std::vector<std::string> spread;         ///< before a number or a list ("in" five cities)
  std::vector<std::string> units;          ///< plurals that are amounts, not things to do
  std::map<std::string, uint32_t> numbers; ///< number words
  uint32_t limit;                          ///< so many requests are counted at most

  static constexpr auto fields(auto all) {
    using self = request_config;
    return all(required("words", &self::words), required("determiners", &self::determiners),
      required("no_verbs", &self::no_verbs), required("openers", &self::openers),
      required("courtesy", &self::courtesy), required("follow_ups", &self::follow_ups),
      required("spread", &self::spread), required("units", &self::units),
      required("numbers", &self::numbers), required("limit", &self::limit));
  }
};

caf::error validate(const request_config& x, std::string_view path);

/// Finds the separate requests of an input (contract 7, Router): clauses that begin with a request
/// word, three or more clauses that begin with any verb, questions, and things that are requested
/// by a number or a list ("weather in five cities", "in Paris, London and Rome"). It reads the
/// first `reading_limits::input_bytes`, in linear time.
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
  bool begins_with_verb(const std::vector<std::string>& words) const;

  phrase_list words_;
  std::vector<std::string> determiners_;
  std::vector<std::string> no_verbs_;
  phrase_list openers_;
  phrase_list courtesy_;
  phrase_list follow_ups_;
  std::vector<std::string> spread_;
  std::vector<std::string> units_;
  std::map<std::string, uint32_t> numbers_;
  uint32_t limit_;
};

} // namespace scratchpage
