#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "scratchpage/messages/fields.hpp"

namespace scratchpage {

/// English function and question words. They are in most sentences and say nothing about their
/// subject.
inline std::vector<std::string> default_stop_words() {
  return {"a", "about", "am", "an", "and", "are", "as", "at", "be", "been", "being", "but", "by",
    "can", "could", "did", "do", "does", "for", "from", "had", "has", "have", "he", "her", "him",
    "his", "how", "i", "if", "in", "into", "is", "it", "its", "me", "my", "no", "not", "of", "on",
    "or", "our", "she", "should", "so", "such", "than", "that", "the", "their", "them", "then",
    "there", "these", "they", "this", "to", "too", "us", "very", "was", "we", "were", "what",
    "when", "where", "which", "who", "whom", "why", "will", "with", "would", "you", "your"};
}

/// How texts are split into terms and ranked.
struct text_config {
  std::vector<std::string> stop_words = default_stop_words(); ///< lower case, not stemmed
  std::string language = "english"; ///< of a Snowball stemmer; if unknown, words are not stemmed
  double k1 = 1.2;                  ///< BM25: how much repetition of a term counts, above 0
  double b = 0.75;                  ///< BM25: how much a long text is ranked lower, 0 to 1
  uint64_t cached_words = 8192;     ///< words whose stem is cached

  static constexpr auto fields(auto all) {
    using self = text_config;
    return all(optional("stop_words", &self::stop_words), optional("language", &self::language),
      optional("k1", &self::k1), optional("b", &self::b),
      optional("cached_words", &self::cached_words));
  }
};

/// The weight of an observation by its type: the first key of priority (contract 3) and of
/// eviction. A higher weight means more important.
struct type_weights {
  std::map<std::string, int64_t> weights{
    {"security_alert", 100},
    {"risk_alert", 95},
    {"alert", 90},
    {"error_alert", 85},
    {"pending_confirmation", 80},
    {"recovery_plan", 70},
    {"constraint_check", 65},
    {"reminder", 60},
    {"dependency", 55},
    {"user_input", 50},
    {"action_suggestion", 50},
    {"execution_plan", 45},
    {"routing_decision", 40},
    {"contextual_insight", 40},
    {"pattern_detected", 35},
    {"learning", 35},
    {"evaluation_result", 30},
    {"tool_result", 20},
  };
  int64_t default_weight = 30; ///< of every other type

  int64_t of(const std::string& type) const {
    auto i = weights.find(type);
    return i != weights.end() ? i->second : default_weight;
  }

  static constexpr auto fields(auto all) {
    return all(optional("weights", &type_weights::weights),
      optional("default_weight", &type_weights::default_weight));
  }
};

} // namespace scratchpage
