#include "scratchpage/runtime/auth/token_file.hpp"

#include <algorithm>
#include <set>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/config_check.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/input_text.hpp"
#include "scratchpage/messages/json/json_text.hpp"
#include "scratchpage/messages/text/utf8.hpp"
#include "scratchpage/runtime/auth/token.hpp"

namespace scratchpage::access {

namespace {

constexpr uint32_t known_version = 1;
constexpr size_t hash_size = 64;
constexpr size_t longest_text = 200; // bytes of a name, or a pattern

struct token_document {
  uint32_t version = 0;
  std::vector<token_entry> tokens;

  static constexpr auto fields(auto all) {
    using self = token_document;
    return all(required("version", &self::version), required("tokens", &self::tokens));
  }
};

bool is_hash(std::string_view x) {
  return x.size() == hash_size && x.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

caf::error check(const token_entry& x, size_t index) {
  config_check result{sub_path("", "tokens", index)};
  result.require(is_token_id(x.id), "id", "eight letters of a to z and 2 to 7")
    .require(is_hash(x.hash), "hash", "64 hexadecimal digits")
    .require(is_token_text(x.name), "name", "1 to 200 bytes of text")
    .require(!x.agents.empty() && x.agents.size() <= most_agent_patterns
               && std::all_of(x.agents.begin(), x.agents.end(), is_token_text),
      "agents", "1 to 100 texts of 1 to 200 bytes");
  return result.error();
}

caf::error check(const token_document& x) {
  if (x.version != known_version)
    return fail(errc::invalid_request, "version", "expected 1, the only one that is known");
  if (x.tokens.size() > most_tokens)
    return fail(errc::overloaded, "tokens", "expected 1000 tokens at most");
  std::set<std::string_view> ids;
  for (size_t i = 0; i < x.tokens.size(); ++i) {
    if (auto err = check(x.tokens[i], i))
      return err;
    if (!ids.insert(x.tokens[i].id).second)
      return fail(
        errc::invalid_request, sub_path("", "tokens", i), "expected an id that is used once");
  }
  return {};
}

} // namespace

bool is_token_text(const std::string& x) {
  return x.size() <= longest_text && utf8::is_valid(x) && !utf8::is_blank(x);
}

caf::expected<std::vector<token_entry>> read_tokens(std::string_view text) {
  auto value = parse_json(text);
  if (!value)
    return fail(errc::invalid_request, "", "expected " + expectation_of(value.error()));
  auto read = from_json<token_document>(*value);
  if (!read)
    return read.error();
  if (auto err = check(*read))
    return err;
  return std::move(read->tokens);
}

std::string to_text(const std::vector<token_entry>& tokens) {
  return to_pretty_text(to_json(token_document{known_version, tokens})) + "\n";
}

caf::expected<std::vector<token_entry>> token_file::read(const private_file::content& from) const {
  auto result = read_tokens(from.bytes);
  if (!result)
    return bad_input(path().string(), 0, field_of(result.error()), expectation_of(result.error()));
  return result;
}

caf::expected<token_file::content> token_file::read() const {
  auto found = file_.read();
  if (!found)
    return found.error();
  content result;
  if (!*found)
    return result;
  auto tokens = read(**found);
  if (!tokens)
    return tokens.error();
  result.tokens = std::move(*tokens);
  result.stamp = (*found)->stamp;
  return result;
}

caf::error token_file::change(
  const std::function<caf::error(std::vector<token_entry>&)>& change) const {
  return file_.change(
    [&](const std::optional<private_file::content>& from) -> caf::expected<std::string> {
      std::vector<token_entry> tokens;
      if (from) {
        auto found = read(*from);
        if (!found)
          return found.error();
        tokens = std::move(*found);
      }
      if (auto err = change(tokens))
        return err;
      if (auto err = check(token_document{known_version, tokens}))
        return err;
      return to_text(tokens);
    });
}

} // namespace scratchpage::access
