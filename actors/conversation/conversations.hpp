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
#include "scratchpage/actors/conversation/system_prompt.hpp"
#include "scratchpage/actors/conversation/thread_conversation.hpp"
#include "scratchpage/messages/handles.hpp"
#include "scratchpage/persistence/privacy/pii_masker.hpp"

namespace scratchpage {

/// The actors that the CONVERSATIONS ask. `files` and `scratchbooks` are required. Another handle
/// may be null; that part of a prompt is then empty.
struct conversation_parts {
  file_keeper_actor files;
  scratchbook_actor scratchbooks;
  scratch_page_actor page;
  frontal_cortex_actor goals;
  working_memory_actor memory;
  compactor_actor compactor; ///< null: conversations are compacted by rules
  /// Masks personal data in messages before they are stored; null: nothing is masked.
  std::shared_ptr<const pii_masker> masker;
  toolbox_actor tools; ///< null: prompts list the tools that the constructor is given
};

/// The CONVERSATIONS of one agent: what its models see of each thread, within their window
/// (contract 11).
///
/// - A text over its limit is moved to a file in `tool_results/THREAD/`; a preview replaces it.
/// - When the history exceeds its room and the profile compacts, its oldest part is moved to
///   `conversation_history/THREAD.md`, the scratchbook gets a summary and the next actions, and a
///   `compaction` observation reports it.
/// - A prompt never exceeds the window. If messages could not be offloaded, prompts leave them out,
///   and they are not lost.
/// - The messages that models see are stored, so that a conversation continues in another process,
///   and an unused one need not stay in memory.
class conversations_state {
public:
  using handle = conversations_actor;
  static constexpr const char* name = "conversations";

  /// If `config` is invalid, the actor ends with that error.
  conversations_state(handle::pointer self, const agent_context& agent, conversation_parts parts,
    system_prompt_builder prompts, manifest_list tools, prompt_config window,
    profile_config profile, conversation_config config, token_counter count = estimate_tokens);

  handle::behavior_type make_behavior();

private:
  struct job;
  using job_ptr = std::shared_ptr<job>;
  using step = std::function<void()>;

  /// A thread that is in memory, and the requests about it.
  struct thread {
    thread(const token_counter& count, const work_count& in)
      : conversation{count},
        lacks{in} {}

    thread_conversation conversation;
    std::deque<job_ptr> jobs; ///< the first one is running
    uint64_t last_use = 0;    ///< higher for a later use
    work_flag lacks;          ///< messages in its file
  };

  /// A request that waits or runs, and what was read for it.
  struct job {
    std::variant<append_messages, make_prompt> request;
    std::variant<caf::typed_response_promise<conversation_stats>,
      caf::typed_response_promise<model_prompt>>
      answer;
    caller by;
    std::string thread_id;
    thread* of = nullptr; ///< valid, since a thread stays in memory while it has jobs
    prompt_material material;
    std::vector<goal> goals;
    std::vector<observation_ptr> pending;
    bool knows_pending = false; ///< whether these are all of them
    std::string lines;          ///< the new messages' lines for the log
    size_t missing = 0;         ///< answers that are still to come
    uint32_t rounds = 0;        ///< compactions for this request
    work_mark works;
  };

  template <class Answer, class Request>
  caf::result<Answer> enqueue(Request& x);
  bool make_room();
  void open(const job_ptr& x);
  void on_opened(const job_ptr& x, const std::string& path, const file_part& found);
  void begin(const job_ptr& x);
  void store(const job_ptr& x);
  void finish(const job_ptr& x);
  caf::error answer_prompt(const job_ptr& x);
  void refuse(const job_ptr& x, const caf::error& why);
  void go_on(thread& of);

  void evict(const job_ptr& x, size_t from);
  void fit(const job_ptr& x);
  void gather(const job_ptr& x, const step& then);
  template <class Answer, class Handle, class Request, class Take>
  void read_part(const job_ptr& x, const Handle& from, Request request, const char* part, Take take,
    const step& then);
  uint64_t room_for_history(const system_prompt& x) const;

  void close_todos(const job_ptr& x);
  void compact(const job_ptr& x, uint64_t room);
  void ask_compactor(const job_ptr& x, std::vector<chat_message> offloaded);
  void apply(const job_ptr& x, const compaction_plan& plan, uint64_t offloaded);
  void tell(const job_ptr& x, const compaction_plan& plan, uint64_t offloaded);

  static thread_conversation& conversation_of(const job_ptr& x) { return x->of->conversation; }

  handle::pointer self_;
  conversation_parts parts_;
  system_prompt_builder prompts_;
  manifest_list tools_;
  prompt_config window_;
  profile_config profile_;
  conversation_config config_;
  token_counter count_;
  tracer trace_;
  work_count work_;
  std::map<std::string, thread> threads_;
  uint64_t uses_ = 0;
};

} // namespace scratchpage
