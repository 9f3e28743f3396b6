#include "scratchpage/messages/codec.hpp"
#include "scratchpage/runtime/net/json_rpc/json_rpc.hpp"
#include "scratchpage/tests/fuzz/targets.hpp"

namespace scratchpage::fuzz {

void rpc(std::string_view bytes) {
  auto read = json_rpc::read(bytes);
  promise(!read.entries.empty(), "every text has an entry");
  promise(read.entries.size() <= json_rpc::max_in_batch, "a batch has a bound");
  std::vector<std::string> answers;
  for (const auto& x : read.entries) {
    if (!x.call)
      answers.push_back(to_text(x.refusal));
    else if (x.call->id)
      answers.push_back(json_rpc::answer_text(*x.call->id, to_text(x.call->params)));
  }
  auto joined = json_rpc::join(read, std::move(answers));
  if (!joined)
    return;
  auto again = parse_json(*joined);
  promise(again && to_text(*again) == *joined, "an answer is the same after reading");
}

} // namespace scratchpage::fuzz
