#include "scratchpage/runtime/models/prompts.hpp"

#include <filesystem>
#include <fstream>
#include <string_view>
#include <system_error>
#include <utility>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/text/utf8.hpp"
#include "scratchpage/runtime/models/chat.hpp"

namespace scratchpage {

namespace embedded {

// cmake/embed.cmake makes them.
extern const std::string_view prompt_router;
extern const std::string_view prompt_clarifier;
extern const std::string_view prompt_error_handler;
extern const std::string_view prompt_evaluator;
extern const std::string_view prompt_reflector;

} // namespace embedded

namespace models {

namespace {

namespace fs = std::filesystem;

caf::error refuse_prompts(const std::string& expected) {
  return fail(errc::invalid_request, "models.prompts", expected);
}

/// Replaces the prompt if there is a file for it.
caf::error replace(std::string& prompt, const fs::path& file) {
  std::error_code ec;
  if (!fs::exists(file, ec))
    return {};
  std::ifstream in{file, std::ios::binary};
  std::string text(model_limits::prompt_bytes + 1, '\0');
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<size_t>(in.gcount()));
  if (text.size() > model_limits::prompt_bytes || !utf8::is_valid(text) || utf8::is_blank(text))
    return refuse_prompts("expected a text in UTF-8 of at most "
                          + std::to_string(model_limits::prompt_bytes)
                          + " bytes: " + file.string());
  prompt = std::move(text);
  return {};
}

} // namespace

caf::expected<prompt_set> read_prompts(const std::string& folder) {
  prompt_set result{std::string{embedded::prompt_router}, std::string{embedded::prompt_clarifier},
    std::string{embedded::prompt_error_handler}, std::string{embedded::prompt_evaluator},
    std::string{embedded::prompt_reflector}};
  if (folder.empty())
    return result;
  fs::path in{folder};
  std::error_code ec;
  if (!fs::is_directory(in, ec))
    return refuse_prompts("expected a folder: " + folder);
  for (auto [prompt, file] :
    {std::pair{&result.router, "router.md"}, std::pair{&result.clarifier, "clarifier.md"},
      std::pair{&result.error_handler, "error_handler.md"},
      std::pair{&result.evaluator, "evaluator.md"}, std::pair{&result.reflector, "reflector.md"}})
    if (auto err = replace(*prompt, in / file))
      return err;
  return result;
}

} // namespace models

} // namespace scratchpage
