#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <caf/typed_response_promise.hpp>

#include "scratchpage/actors/memory/token_estimate.hpp"
#include "scratchpage/actors/scratchbook/scratchbook_config.hpp"
#include "scratchpage/messages/handles.hpp"
#include "scratchpage/messages/time.hpp"

namespace scratchpage {

/// The SCRATCHBOOK of one thread, which is one file. Changes that come while the
/// file is written are made together, in their order, and written next; each is
/// answered when it is durable. Readers see what is durable.
class thread_scratchbook_state {
public:
  using handle = scratchbook_actor;
  static constexpr const char* name = "thread_scratchbook";

  thread_scratchbook_state(handle::pointer self, std::string thread_id, file_keeper_actor files,
    std::shared_ptr<const scratchpage::clock> clock, scratchbook_config config,
    token_counter count);

  handle::behavior_type make_behavior();

private:
  using change = std::function<caf::expected<scratchbook_item>(scratchbook&)>;
  using outcome = caf::expected<scratchbook_item>;

  struct waiting_change {
    change apply;
    caf::typed_response_promise<scratchbook_item> answer;
  };

  /// A change that was made and is being written, or was refused.
  struct made_change {
    outcome made;
    caf::typed_response_promise<scratchbook_item> answer;
  };

  caf::result<scratchbook_item> enqueue(change x);
  template <class T>
  caf::result<T> when_read(std::function<T()> read);
  void load();
  void on_loaded(const file_part& x);
  void on_not_loaded(const caf::error& err);
  void commit();
  bool is_too_much(size_t bytes, size_t changes) const;
  void save(scratchbook next, std::vector<made_change> made);
  int64_t now_ns() const;

  handle::pointer self_;
  std::string thread_id_;
  std::string path_;
  file_keeper_actor files_;
  std::shared_ptr<const scratchpage::clock> clock_;
  scratchbook_config config_;
  token_counter count_;
  std::optional<scratchbook> book_; // as it is stored; none before it was read
  uint64_t stored_bytes_ = 0;
  bool is_loading_ = false;
  bool is_saving_ = false;
  std::vector<waiting_change> changes_;
  std::vector<std::function<void(const caf::error&)>> readers_; // until it is read
};

} // namespace scratchpage
