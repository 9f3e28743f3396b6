#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>
#include <boost/unordered/unordered_flat_set.hpp>

#include "scratchpage/actors/page/index/index_config.hpp"
#include "scratchpage/messages/shared_settings.hpp"
#include "scratchpage/messages/text/key_text.hpp"

struct sb_stemmer;

namespace scratchpage {

/// Splits a text into terms. A term is the stem of a run of letters and digits of any script, in
/// lower case and without the English possessive "'s". Forms of irregular English verbs become the
/// infinitive before. Stop words are left out.
class text_analyzer {
public:
  explicit text_analyzer(shared_settings<text_config> config);
  ~text_analyzer();

  /// Calls `f(term)` for each term in order. The term is valid during the call.
  template <class F>
  void for_each_term(std::string_view text, F&& f) {
    while (next_word(text))
      if (const auto& term = term_of_word(); !term.empty())
        f(std::string_view{term});
  }

private:
  using word_set = boost::unordered_flat_set<std::string, text_hash, text_equal>;

  struct free_stemmer {
    void operator()(sb_stemmer* x) const;
  };

  /// Moves the next word from the front of `text` to word_.
  bool next_word(std::string_view& text);
  static std::shared_ptr<const word_set> shared_stop_words(const std::vector<std::string>& words);
  /// The stem of word_, or "" if it is a stop word.
  const std::string& term_of_word();

  shared_settings<text_config> config_;
  bool is_english_;
  std::unique_ptr<sb_stemmer, free_stemmer> stemmer_;
  std::shared_ptr<const word_set> stop_words_; // one set for all analyzers with these words
  boost::unordered_flat_map<std::string, std::string, text_hash, text_equal> terms_; // by word
  std::string word_;
};

} // namespace scratchpage
