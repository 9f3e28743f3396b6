#include "scratchpage/runtime/cli/commands/model_replies.hpp"

#include <memory>
#include <system_error>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/input_text.hpp"
#include "scratchpage/runtime/simulation/input_file.hpp"

namespace scratchpage {

caf::error model_replies::open(const std::filesystem::path& file) {
  if (file.empty())
    return {};
  access_.replies = std::make_shared<models::reply_store>();
  std::error_code ec;
  if (!std::filesystem::exists(file, ec))
    return out_.open(file);
  access_.replays = true;
  auto text = read_text_file(file);
  if (!text)
    return text.error();
  if (auto err = access_.replies->read(*text))
    return bad_input(file.string(), 0, field_of(err), expectation_of(err));
  return {};
}

caf::error model_replies::finish() {
  if (!out_.is_open())
    return {};
  out_.write(access_.replies->text());
  return out_.finish();
}

caf::error model_replies::commit() {
  return access_.replies && !access_.replays ? out_.commit() : caf::error{};
}

} // namespace scratchpage
