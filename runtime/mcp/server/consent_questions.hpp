#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "scratchpage/messages/json/json.hpp"
#include "scratchpage/runtime/auth/principal.hpp"
#include "scratchpage/runtime/mcp/server/question.hpp"

namespace scratchpage::mcp {

/// The person as whom the answer of that client's user counts, if the question was put to `user`;
/// nothing if the answers of the client are no person's word (docs/security.md#consent).
using person_at =
  std::function<std::optional<principal>(const principal& client, const std::string& user)>;

/// Limits of the questions for consent that clients are asked.
struct elicitation_limits {
  static constexpr size_t of_turn = 8;           ///< in one turn; further ones wait on the page
  static constexpr size_t message_bytes = 8'192; ///< a longer question waits on the page
  static constexpr size_t remembered = 4'096;    ///< questions that are not asked again
};

/// A question for consent that a turn has put, and that a client is asked.
struct asked_consent {
  std::string question_id;
  std::string thread_id;
  std::string user; ///< who was asked
};

/// By the ids of the questions.
using asked_consents = std::map<std::string, asked_consent>;

json::object to_kept(const asked_consents& x);
asked_consents from_kept(const json::object& x);

/// What a user answered to a question for consent. Whatever is not clearly a yes or a no is no
/// answer.
enum class consent_answer : uint8_t { none, yes_once, no };

consent_answer read_consent(const json::object& answer);

/// The answers as the arguments of a turn of the person; nothing if nobody answered anything.
std::optional<json::object> consent_turn(
  const asked_consents& asked, const answers& got, std::string_view client);

/// What became of each question, for the result of the tool.
json::array outcomes_of(const asked_consents& asked, const answers& got);

/// Finds the questions for consent in the results of turns, each once.
class consent_questions {
public:
  explicit consent_questions(person_at person)
    : person_{std::move(person)} {}

  /// The person as whom an answer to that question counts.
  std::optional<principal> person_for(const principal& client, const asked_consent& x) const {
    return person_ ? person_(client, x.user) : std::nullopt;
  }

  /// The questions that this result of a turn has, and that the client may be asked. They are not
  /// found again.
  asked_consents take(const principal& client, const json::object& turn, questions& forms);

private:
  bool note(const std::string& key);

  person_at person_;
  std::set<std::string> known_;
  std::deque<std::string> order_;
};

} // namespace scratchpage::mcp
