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
  std::vector<std::string> negations;    ///< an answer with one does no action
  uint32_t within_turns;                 ///< of the thread, in which words answer a question
  double ttl_minutes;                    ///< of a question
  bool trust_relay = false;              ///< whether a user's words count that an agent passes on

  static constexpr auto fields(auto all) {
    using self = consent_config;
    return all(required("affirmations", &self::affirmations), required("fillers", &self::fillers),
      required("refusals", &self::refusals), required("deferrals", &self::deferrals),
      required("negations", &self::negations), required("within_turns", &self::within_turns),
      required("ttl_minutes", &self::ttl_minutes), optional("trust_relay", &self::trust_relay));
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

  /// What `input` answers to each of `asked`, in their order. `inputs` are the `user_input`s
  /// of the thread, in any order, also those that have left the page.
  ///
  /// `context.confirms` and `context.declines`, an observation's id or a list of
  /// them, answer these questions and no others, whatever the words are. A person's
  /// `context.answers` names questions of others, and the words answer none of these then.
  /// Without them words answer what the speaker's own words led to, in their latest turns in the
  /// thread; those that name a tool answer about that tool only. They leave it in doubt where
  /// they may mean another question that `may_be_on_their_mind`: one that asks for no consent and
  /// was put in the same turn or later, or one for consent of another turn, about the same tool if
  /// they name it. What somebody asked for in the speaker's name is answered by its id alone.
  ///
  /// `questions` are the `pending_confirmation`s of anybody, as far back as those that words may
  /// answer: those on the page, the resolved ones too, and those that have left it since. It is in
  /// doubt as well if they do not reach back to what is answered.
  std::vector<consent> answers(const observation& input, const std::vector<observation_ptr>& asked,
    const std::vector<observation_ptr>& inputs,
    const std::vector<observation_ptr>& questions) const;

  /// When what led to the oldest of `asked` was said that the words of `input` may answer, as far
  /// as `inputs` tell: since then inputs and questions matter that have left the page. None: the
  /// words answer none of them.
  std::optional<timestamp> needs_history_since(const observation& input,
    const std::vector<observation_ptr>& asked, const std::vector<observation_ptr>& inputs) const;

  /// Which of `asked` wait on for the person who agrees or refuses in `input`, if these words can
  /// be the answer to nothing else.
  std::vector<std::string> left_waiting(const observation& input,
    const std::vector<observation_ptr>& asked, const std::vector<observation_ptr>& questions) const;

  /// Whether `input` answers `asked`, if it may be answered at all: by its id, or in words
  /// that mean no other question.
  bool speaks_to(const observation& input, const observation& asked,
    const std::vector<observation_ptr>& questions) const;

  /// What the words alone say. Consent is nothing but affirmations and fillers:
  /// a "yes, but" is none, nor is a question.
  consent reading_of(std::string_view input) const { return reading_of(input, {}); }

  /// Whether words that need not agree, such as "the morning flight", let something happen:
  /// they agree, or they deny nothing, do not put it off, and do not ask back.
  bool goes_along(std::string_view input) const;

  /// Whether the input's user agrees to the use of protected data in general: the embedding
  /// program says so in its context, or they put a live observation tagged `consent`.
  bool agrees_in_general(const observation& input, const std::vector<observation_ptr>& live) const;

  double ttl_minutes() const { return config_.ttl_minutes; }

private:
  bool speaks_for_user(const observation& x) const;
  bool may_answer(const observation& input, const observation& asked) const;
  consent reading_of(std::string_view input, const phrase_list& names) const;
  bool agrees(std::string_view input, const phrase_list& names) const;
  bool refuses(std::string_view input) const;
  bool is_of_speaker(const observation& x, const observation& input) const;
  const observation* asked_lately(const observation& asked, const observation& input,
    const std::vector<observation_ptr>& inputs) const;

  consent_config config_;
  phrase_list affirmations_;
  phrase_list fillers_;
  phrase_list refusals_;
  phrase_list deferrals_;
  phrase_list negations_;
};

} // namespace scratchpage
