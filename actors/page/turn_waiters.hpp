#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "scratchpage/actors/page/turn_ledger.hpp"

namespace scratchpage {

/// The requests that wait until a turn, or the page as a whole, is quiet, and the actors that hold
/// turns. The `turn_ledger` decides when a request is answered; this class has the answers.
/// `Answer` is a promise, and `Asker` the address of an actor; `Asker{}` is the address of none.
template <class Answer, class Asker>
class turn_waiters {
public:
  /// A new token, by which the ledger identifies a request.
  uint64_t next_token() { return ++last_token_; }

  void add(uint64_t token, Answer answer, Asker asker) {
    waiting_.emplace(token, waiter{std::move(answer), std::move(asker)});
  }
  void add_for_page(Answer answer) { waiting_for_page_.push_back(std::move(answer)); }

  /// Takes out the answer to a request whose stage has come, if it still waits. If the stage comes
  /// with a hold, the asker holds the turn from now on.
  std::optional<Answer> admit(const turn_ledger::waiter& x) {
    auto node = waiting_.extract(x.token);
    if (node.empty())
      return std::nullopt;
    auto& asker = node.mapped().asker;
    if (comes_with_hold(x.stage) && asker != Asker{})
      note_hold(asker, x.holder);
    return std::move(node.mapped().answer);
  }

  /// Takes out the answer to a request whose turn has ended before its stage came.
  std::optional<Answer> take(uint64_t token) {
    auto node = waiting_.extract(token);
    if (node.empty())
      return std::nullopt;
    return std::move(node.mapped().answer);
  }

  bool is_anybody_waiting_for_turn() const { return !waiting_.empty(); }
  bool is_anybody_waiting_for_page() const { return !waiting_for_page_.empty(); }
  /// Takes out the answers to all requests that wait until the page is quiet.
  std::vector<Answer> take_for_page() { return std::exchange(waiting_for_page_, {}); }

  /// Notes that an actor holds a turn under the name `holder`.
  void note_hold(const Asker& who, const std::string& holder) { holders_[who].insert(holder); }

  /// What the ledger has to forget about an actor that has ended.
  struct traces {
    std::vector<uint64_t> tokens;  ///< of its requests
    std::set<std::string> holders; ///< the names under which it held turns
  };
  traces remove(const Asker& who) {
    traces result;
    for (auto i = waiting_.begin(); i != waiting_.end();) {
      if (i->second.asker == who) {
        result.tokens.push_back(i->first);
        i = waiting_.erase(i);
      } else {
        ++i;
      }
    }
    if (auto node = holders_.extract(who); !node.empty())
      result.holders = std::move(node.mapped());
    return result;
  }

private:
  struct waiter {
    Answer answer;
    Asker asker;
  };

  std::map<uint64_t, waiter> waiting_; // by token
  std::vector<Answer> waiting_for_page_;
  uint64_t last_token_ = 0;
  std::map<Asker, std::set<std::string>> holders_; // actors that hold turns, under these names
};

} // namespace scratchpage
