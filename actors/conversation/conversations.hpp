#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include <caf/typed_response_promise.hpp>

#include "scratchpage/actors/base/tracer.hpp"
#include "scratchpage/actors/conversation/conversation_config.hpp"
#include "scratchpage/actors/conversation/conversation_history.hpp"
#include "scratchpage/actors/conversation/system_prompt.hpp"
#include "scratchpage/messages/handles.hpp"
#include "scratchpage/persistence/privacy/pii_masker.hpp"

namespace scratchpage {

/// Whom the CONVERSATIONS ask, and who masks for them. A handle that is not set leaves its part
/// empty; `files` and `scratchbooks` are there.
struct conversation_parts {
  file_keeper_actor files;
  scratchbook_actor scratchbooks;
  scratch_page_actor page;
  frontal_cortex_actor goals;
  working_memory_actor memory;
  compactor_actor compactor; ///< null: by rules
  /// Masks what is said before it is kept; null: it stays as it is.
  std::shared_ptr<const pii_masker> masker;
  toolbox_actor tools; ///< null: the tools are those that it was given, and do not change
};

/// The CONVERSATIONS of one agent: what its models see of each thread, within
/// their window (contract 11). A text over its limit goes whole to
/// `tool_results/THREAD/` and leaves a preview. When history has no room any more
/// and the profile compacts, its oldest part goes to
/// `conversation_history/THREAD.md`, the scratchbook gets a summary and the next
/// actions, and a `compaction` observation says what was kept and what left. A
/// prompt is never over the window, whatever fails: messages that could not be
/// offloaded are then left out of it, and not lost. What is in sight is stored as
/// well, so that a conversation goes on in another process, and one that nobody
/// asks about need not stay in memory.
class conversations_state {
public:
  using handle = conversations_actor;
  static constexpr const char* name = "conversations";

  /// An invalid `config` ends the actor with that error.
  conversations_state(handle::pointer self, const agent_context& agent, conversation_parts parts,
    system_prompt_builder prompts, manifest_list tools, prompt_config window,
    profile_config profile, conversation_config config, token_counter count = estimate_tokens);

  handle::behavior_type make_behavior();

private:
  /// A request that waits or is worked on, and what was found out for it.
  struct job {
    std::variant<append_messages, make_prompt> request;
    std::variant<caf::typed_response_promise<conversation_stats>,
      caf::typed_response_promise<model_prompt>>
      answer;
    caller by;
    std::string thread_id;
    prompt_material material;
    std::vector<goal> goals;
    std::vector<observation_ptr> pending;
    std::string lines;   ///< what was said, as it is stored
    size_t missing = 0;  ///< parts that are on their way
    uint32_t rounds = 0; ///< compactions for this request
  };
  using job_ptr = std::shared_ptr<job>;
  using step = std::function<void()>;

  struct thread {
    explicit thread(const token_counter& count)
      : history{count} {}

    conversation_history history;
    conversation_stats stats;
    std::deque<job_ptr> jobs; ///< the first is worked on
    bool is_open = false;     ///< what was stored of it was read
    bool is_stale = false;    ///< what is stored is not what is in sight
    uint64_t last_use = 0;    ///< the higher the later
  };

  template <class Answer, class Request>
  caf::result<Answer> enqueue(Request& x);
  bool make_room();
  void open(const job_ptr& x);
  void on_opened(const job_ptr& x, const std::string& path, const file_part& found);
  void begin(const job_ptr& x);
  void store(const job_ptr& x);
  void finish(const job_ptr& x);
  void refuse(const job_ptr& x, const caf::error& why);

  void evict(const job_ptr& x, size_t from);
  void fit(const job_ptr& x);
  void gather(const job_ptr& x, const step& then);
  template <class Answer, class Handle, class Request, class Take>
  void read_part(const job_ptr& x, const Handle& from, Request request, const char* part, Take take,
    const step& then);
  uint64_t room_for_history(const system_prompt& x) const;

  void compact(const job_ptr& x, uint64_t room);
  void ask_compactor(const job_ptr& x, std::vector<chat_message> offloaded);
  void apply(const job_ptr& x, const compaction_plan& plan, uint64_t offloaded);
  void tell(const job_ptr& x, const compaction_plan& plan, uint64_t offloaded);

  thread& thread_of(const job_ptr& x) { return threads_.at(x->thread_id); }
  std::string last_words(const thread& x) const;

  handle::pointer self_;
  conversation_parts parts_;
  system_prompt_builder prompts_;
  manifest_list tools_;
  prompt_config window_;
  profile_config profile_;
  conversation_config config_;
  token_counter count_;
  tracer trace_;
  std::map<std::string, thread> threads_;
  uint64_t uses_ = 0;
};

} // namespace scratchpage
