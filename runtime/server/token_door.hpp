#pragma once

#include <memory>

#include "scratchpage/messages/time.hpp"
#include "scratchpage/runtime/auth/doorkeeper.hpp"
#include "scratchpage/runtime/auth/kept_access_list.hpp"

namespace scratchpage::serve {

/// Lets in who has a token, as whom it is for. As long as there was no file of tokens,
/// it does as another, if there is one: never again once there was one.
class token_door : public doorkeeper {
public:
  token_door(access::token_file file, std::shared_ptr<const clock> clock,
    std::unique_ptr<doorkeeper> without_file);

  caf::expected<visitor> admit(const http::request& x) override;

  bool asks_for_tokens() override;
  access::person_sessions* persons() override;

  /// Whether anybody has a token that is good now. Errors: those of the file.
  caf::expected<bool> has_valid();

private:
  bool asks_for_tokens(timestamp now);

  std::shared_ptr<const clock> clock_;
  access::kept_access_list tokens_;
  std::unique_ptr<doorkeeper> without_file_;
};

} // namespace scratchpage::serve
