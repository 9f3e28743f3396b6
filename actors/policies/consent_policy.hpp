#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <caf/error.hpp>

#include "scratchpage/actors/language/words.hpp"
#include "scratchpage/messages/observation.hpp"

namespace scratchpage {

/// Whose answers to an elicitation of MCP are a person's word.
enum class elicitation : uint8_t {
  off,     ///< nobody's: no client is asked
  persons, ///< those of clients that are a person: of this machine's user, or with a person's token
  agents,  ///< also those of agents, for the user who is asked
};

template <>
inline constexpr std::array<std::string_view, 3> enum_names<elicitation>{
  "off", "persons", "agents"};

struct consent_config {
  std::vector<std::string> affirmations; ///< phrases that agree
  std::vector<std::string> fillers;      ///< phrases that may stand beside them and add nothing
  std::vector<std::string> refusals;     ///< an input that begins with one declines
  std::vector<std::string> deferrals;    ///< an input with one neither agrees nor declines
  std::vector<std::string> negations;    ///< an answer with one completes no action
  uint32_t within_turns;                 ///< of the speaker, in which words answer a question
  double ttl_minutes;                    ///< lifetime of a question
  bool trust_relay = false;              ///< relayed words count as the user's own
  scratchpage::elicitation elicitation = scratchpage::elicitation::persons;

  static constexpr auto fields(auto all) {
    using self = consent_config;
    return all(required("affirmations", &self::affirmations), required("fillers", &self::fillers),
      required("refusals", &self::refusals), required("deferrals", &self::deferrals),
      required("negations", &self::negations), required("within_turns", &self::within_turns),
      required("ttl_minutes", &self::ttl_minutes), optional("trust_relay", &self::trust_relay),
      optional("elicitation", &self::elicitation));
  }
};

caf::error validate(const consent_config& x, std::string_view path);

enum class consent : uint8_t {
  open, ///< the question was not answered
  granted,
  declined,
  in_doubt, ///< the words agree or decline, but may be meant for another question
};

template <>
inline constexpr std::array<std::string_view, 4> enum_names<consent>{
  "open", "granted", "declined", "in_doubt"};

/// Decides whether the user has allowed a call that waits for consent. Consent is for that call
/// alone. The person who was asked gives it, or the owner of the agent, after the question was
/// put; in doubt, it is not given. Words that an agent relays are no consent, unless `trust_relay`
/// is set.
class consent_policy {
public:
  explicit consent_policy(const consent_config& config);

  /// What `input` answers to each of the questions `asked`, in their order. `inputs` are the
  /// `user_input`s of the thread, in any order, also those that have left the page.
  ///
  /// `context.confirms` and `context.declines` have the ids of questions (one, or a list), and
  /// answer these and no others, whatever the words are. If a person's input has `context.answers`,
  /// which names other questions, its words answer none of `asked`.
  ///
  /// Otherwise words answer the questions that the speaker's own words led to, in the speaker's
  /// latest turns of the thread. If they name a tool, they answer questions about that tool only.
  /// The answer is in doubt if the words may be meant for another question that
  /// `may_be_on_their_mind`: one that asks for no consent and was put in the same turn or later, or
  /// one for consent of another turn (about the same tool, if they name one). A question that
  /// somebody else caused in the speaker's name is answered by its id alone.
  ///
  /// `questions` are the `pending_confirmation`s of everybody, as far back as the questions that
  /// the words may answer: those on the page, resolved ones included, and those that have left it.
  /// If they do not go back that far, the answer is in doubt.
  std::vector<consent> answers(const observation& input, const std::vector<observation_ptr>& asked,
    const std::vector<observation_ptr>& inputs,
    const std::vector<observation_ptr>& questions) const;

  /// Since when `answers` also needs the inputs and questions that have left the page: since the
  /// input that led to the oldest of `asked` that the words may answer. Nothing if the words
  /// answer none of them.
  std::optional<timestamp> needs_history_since(const observation& input,
    const std::vector<observation_ptr>& asked, const std::vector<observation_ptr>& inputs) const;

  /// The ids of the questions `asked` that stay open although the person they were put to agrees
  /// or declines in `input`, and the words can be the answer to nothing else.
  std::vector<std::string> left_waiting(const observation& input,
    const std::vector<observation_ptr>& asked, const std::vector<observation_ptr>& questions) const;

  /// Whether `input` answers `asked`, by its id or in words that mean no other question. Whether
  /// the speaker may answer it is not checked here.
  bool speaks_to(const observation& input, const observation& asked,
    const std::vector<observation_ptr>& questions) const;

  /// What the words alone say. Words are consent if they are affirmations and fillers and nothing
  /// else: "yes, but" is no consent, nor is a question.
  consent reading_of(std::string_view input) const { return reading_of(input, {}); }

  /// Whether words that need not agree, such as "the morning flight", let something happen:
  /// they agree, or they deny nothing, do not put it off, and do not ask back.
  bool goes_along(std::string_view input) const;

  /// Whether the input's user agrees to the use of protected data in general: the embedding
  /// program says so in the input's context, or the user has a live observation tagged `consent`.
  bool agrees_in_general(const observation& input, const std::vector<observation_ptr>& live) const;
  static constexpr std::string_view general_tag = "consent"; ///< of those observations

  double ttl_minutes() const { return ttl_minutes_; }

private:
  bool speaks_for_user(const observation& x) const;
  bool may_answer(const observation& input, const observation& asked) const;
  consent reading_of(std::string_view input, const phrase_list& names) const;
  bool agrees(std::string_view input, const phrase_list& names) const;
  bool refuses(std::string_view input) const;
  bool is_of_speaker(const observation& x, const observation& input) const;
  const observation* asked_lately(const observation& asked, const observation& input,
    const std::vector<observation_ptr>& inputs) const;

  phrase_list affirmations_;
  phrase_list fillers_;
  phrase_list refusals_;
  phrase_list deferrals_;
  phrase_list negations_;
  uint32_t within_turns_;
  double ttl_minutes_;
  bool trust_relay_;
};

} // namespace scratchpage
