#include "scratchpage/runtime/cli/io/command_line.hpp"

#include <array>
#include <ostream>
#include <utility>

#include <pwd.h>
#include <unistd.h>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/input_text.hpp"
#include "scratchpage/messages/json/json_text.hpp"
#include "scratchpage/messages/principal_name.hpp"
#include "scratchpage/messages/text/display_text.hpp"

namespace scratchpage {

namespace {

/// Fields of requests, and the options that fill them.
constexpr std::array<std::pair<std::string_view, std::string_view>, 19> options{{
  {"type", "--type"},
  {"content", "CONTENT"},
  {"confidence", "--confidence"},
  {"tags", "--tag"},
  {"owner", "--owner"},
  {"context", "--context"},
  {"metadata", "--metadata"},
  {"ttl_minutes", "--ttl-minutes"},
  {"limit", "--limit"},
  {"cursor", "--cursor"},
  {"observation_id", "ID"},
  {"until", "--until"},
  {"from", "--from"},
  {"thread_id", "--thread"},
  {"id", "ID"},
  {"body", "--body"},
  {"phase", "--phase"},
  {"progress", "--progress"},
  {"goal_id", "--goal"},
}};

/// Turns "context.deep" into "--context.deep". Returns other fields unchanged.
std::string option_of(const std::string& field) {
  auto end = field.find_first_of(".[");
  auto name = std::string_view{field}.substr(0, end);
  for (const auto& [known, option] : options)
    if (known == name)
      return std::string{option}.append(std::string_view{field}.substr(name.size()));
  return field;
}

bool is_about_the_request(const caf::error& err) {
  switch (code_of(err)) {
  case errc::invalid_observation:
  case errc::unknown_type:
  case errc::invalid_request:
    return true;
  default:
    return false;
  }
}

/// Names the variable in place of the option with which the sentence begins, if the option's value
/// comes from a variable.
std::string name_variable(const command_environment& environment, std::string_view sentence) {
  for (const auto& [option, variable] : environment.from_variables)
    if (sentence.starts_with(option + ":"))
      return variable + std::string{sentence.substr(option.size())};
  return std::string{sentence};
}

void say(const command_environment& environment, std::string_view sentence) {
  environment.err << "scratchpage: " << escaped(name_variable(environment, sentence)) << '\n';
}

void append_unicode_escape(std::string& out, uint32_t unit) {
  constexpr std::string_view digits = "0123456789abcdef";
  out += "\\u";
  for (auto shift : {12, 8, 4, 0})
    out += digits[(unit >> shift) & 0xF];
}

/// Appends a code point as JSON escapes it: as a surrogate pair beyond the basic plane.
void append_unicode(std::string& out, uint32_t code) {
  if (code <= 0xFFFF) {
    append_unicode_escape(out, code);
  } else {
    append_unicode_escape(out, 0xD800 + ((code - 0x10000) >> 10));
    append_unicode_escape(out, 0xDC00 + ((code - 0x10000) & 0x3FF));
  }
}

} // namespace

std::string login_name() {
  passwd entry{};
  passwd* found = nullptr;
  std::array<char, 4096> texts{};
  std::string name;
  if (::getpwuid_r(::geteuid(), &entry, texts.data(), texts.size(), &found) == 0
      && found != nullptr)
    name = found->pw_name;
  return !is_plain_name(name) || looks_like_component(name) ? "user" : name;
}

exit_code complain(const command_environment& environment, const caf::error& err) {
  say(environment, describe_for_options(err));
  return is_about_the_request(err) ? exit_code::bad_input : exit_code::unmet;
}

exit_code complain_of_input(const command_environment& environment, const caf::error& err) {
  say(environment, describe_input(err));
  return exit_code::bad_input;
}

void warn(const command_environment& environment, std::string_view sentence) {
  say(environment, "warning: " + std::string{sentence});
}

std::string describe_for_options(const caf::error& err) {
  auto field = field_of(err);
  return field.empty() ? expectation_of(err) : option_of(field) + ": " + expectation_of(err);
}

std::string to_safe_text(const json::value& value) {
  return to_safe_json(to_text(value));
}

/// In JSON only strings contain more than ASCII, so an escape may replace such a character.
std::string to_safe_json(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    auto next = utf8::first_character(text);
    if (next.code != '\n' && is_unsafe(next.code))
      append_unicode(result, next.code);
    else
      result += text.substr(0, next.bytes);
    text.remove_prefix(next.bytes);
  }
  return result;
}

exit_code finish(const command_environment& environment, exit_code code) {
  if (environment.out.flush())
    return code;
  say(environment, "expected a standard output that can be written");
  return exit_code::unmet;
}

} // namespace scratchpage
