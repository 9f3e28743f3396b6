#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <caf/error.hpp>

#include "scratchpage/actors/policies/words.hpp"
#include "scratchpage/messages/observation.hpp"

namespace scratchpage {

struct consent_config {
  std::vector<std::string> affirmations; ///< phrases that agree
  std::vector<std::string> fillers;      ///< phrases that may stand beside them and add nothing
  std::vector<std::string> refusals;     ///< an input that begins so declines
  std::vector<std::string> deferrals;    ///< an input with one neither agrees nor declines
  uint32_t within_turns;                 ///< of the thread, in which words answer a question
  double ttl_minutes;                    ///< of a question
  bool trust_relay = false;              ///< whether a user's words count that an agent passes on

  static constexpr auto fields(auto all) {
    using self = consent_config;
    return all(required("affirmations", &self::affirmations), required("fillers", &self::fillers),
      required("refusals", &self::refusals), required("deferrals", &self::deferrals),
      required("within_turns", &self::within_turns), required("ttl_minutes", &self::ttl_minutes),
      optional("trust_relay", &self::trust_relay));
  }
};

caf::error validate(const consent_config& x, std::string_view path);

enum class consent : uint8_t {
  open, ///< the question waits on
  granted,
  declined,
  in_doubt, ///< the words say one of these, and may say it to another question
};

template <>
inline constexpr std::array<std::string_view, 4> enum_names<consent>{
  "open", "granted", "declined", "in_doubt"};

/// Whether the user has allowed a call that waits for their consent. It is given
/// for that call alone, by the person who was asked or by who owns the agent, after they
/// were asked, and in doubt it is not given. Words that an agent relays are nobody's
/// consent, unless `trust_relay` says otherwise.
class consent_policy {
public:
  explicit consent_policy(consent_config config);

  /// What `input` answers to each of `asked`, in their order. `inputs` are the
  /// page's `user_input`s, in any order.
  ///
  /// `context.confirms` and `context.declines`, an observation's id or a list of
  /// them, answer these questions and no others, whatever the words are. A person's
  /// `context.answers` names questions of others, and the words answer none of these then.
  /// Without them words answer what was asked in the thread's latest turns; those that
  /// name a tool answer about that tool only. Those that name none leave it in doubt where
  /// they `may_mean_another`.
  ///
  /// `questions` are the `pending_confirmation`s of anybody, as far back as those that words may
  /// answer: those on the page, the resolved ones too, and those that have left it since.
  std::vector<consent> answers(const observation& input, const std::vector<observation_ptr>& asked,
    const std::vector<observation_ptr>& inputs,
    const std::vector<observation_ptr>& questions) const;

  /// When what led to the oldest of `asked` was said that the words of `input` may answer: since
  /// then questions matter that have left the page. None: no words without a name answer any.
  std::optional<timestamp> needs_questions_since(const observation& input,
    const std::vector<observation_ptr>& asked, const std::vector<observation_ptr>& inputs) const;

  /// Whether `input` answers `asked`, if it may be answered at all: by its id, or in words
  /// that mean no other question.
  bool speaks_to(const observation& input, const observation& asked,
    const std::vector<observation_ptr>& questions) const;

  /// Whether words that name no tool may be meant for another question than `asked`: one of
  /// those that `may_be_on_their_mind` and ask for no consent, put in the same turn or later. It
  /// is in doubt as well if `questions` do not reach back to `asked`.
  static bool may_mean_another(const observation& input, const observation& asked,
    const std::vector<observation_ptr>& questions);

  /// What the words alone say. Consent is nothing but affirmations and fillers:
  /// a "yes, but" is none, nor is a question.
  consent reading_of(std::string_view input) const { return reading_of(input, {}); }

  /// Whether words that need not agree, such as "the morning flight", let something happen:
  /// they neither decline it nor put it off, nor ask back.
  bool goes_along(std::string_view input) const;

  /// Whether the input's user agrees to the use of protected data in general: the embedding
  /// program says so in its context, or they put a live observation tagged `consent`.
  bool agrees_in_general(const observation& input, const std::vector<observation_ptr>& live) const;

  double ttl_minutes() const { return config_.ttl_minutes; }

private:
  bool speaks_for_user(const observation& x) const;
  bool may_answer(const observation& input, const observation& asked) const;
  consent reading_of(std::string_view input, const phrase_list& names) const;
  bool agrees(const std::vector<std::string>& words, const phrase_list& names) const;
  bool refuses(const std::vector<std::string>& words) const;
  const observation* asked_lately(const observation& asked, const observation& input,
    const std::vector<observation_ptr>& inputs) const;

  consent_config config_;
  phrase_list affirmations_;
  phrase_list fillers_;
  phrase_list refusals_;
  phrase_list deferrals_;
};

} // namespace scratchpage
