#include "scratchpage/persistence/stored_files/book_checksum.hpp"

#include <array>
#include <cinttypes>
#include <cstdio>
#include <map>
#include <string_view>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/persistence/store/checksum.hpp"

namespace scratchpage {

namespace {

constexpr std::string_view member = "checksum";
constexpr std::string_view revision_member = "revision";

json::value sorted(const json::value& x);

json::array sorted(const json::array& x) {
  json::array result;
  result.reserve(x.size());
  for (const auto& one : x)
    result.push_back(sorted(one));
  return result;
}

json::object sorted(const json::object& x) {
  std::map<std::string_view, const json::value*> members;
  for (const auto& [key, value] : x)
    members.emplace(std::string_view{key.data(), key.size()}, &value);
  json::object result;
  for (const auto& [key, value] : members)
    result[json::string_view{key.data(), key.size()}] = sorted(*value);
  return result;
}

json::value sorted(const json::value& x) {
  if (x.is_array())
    return sorted(x.get_array());
  return x.is_object() ? json::value(sorted(x.get_object())) : x;
}

/// Of a book without one.
std::string checksum_text(const json::object& book) {
  std::array<char, 17> digits{};
  std::snprintf(
    digits.data(), digits.size(), "%016" PRIx64, checksum_of(to_text(json::value(sorted(book)))));
  return digits.data();
}

} // namespace

namespace {

std::string seal(json::object& book) {
  book.erase(member);
  auto checksum = checksum_text(book);
  book[member] = checksum;
  return checksum;
}

std::string text_of(const json::object& book) {
  return to_text(json::value(sorted(book))) + "\n";
}

} // namespace

std::string to_book_text(json::object book) {
  seal(book);
  return text_of(book);
}

book_file to_book_file(json::object book, uint64_t revision) {
  book.erase(revision_member);
  if (revision > 0)
    book[revision_member] = revision;
  auto checksum = seal(book);
  return {text_of(book), {revision, std::move(checksum)}};
}

caf::error take_checksum(json::object& book) {
  const auto* found = book.if_contains(member);
  if (found == nullptr)
    return {};
  const json::value said = *found;
  book.erase(member);
  auto expected = checksum_text(book);
  if (said.is_string() && said.get_string() == expected)
    return {};
  return fail(errc::internal, member,
    "expected that of the rest, " + expected
      + ": it was changed since it was written; if on purpose, remove this member");
}

caf::expected<file_version> take_version(json::object& book) {
  file_version result;
  if (const auto* said = book.if_contains(member); said != nullptr && said->is_string())
    result.checksum = std::string_view{said->get_string()};
  if (auto err = take_checksum(book))
    return err;
  if (const auto* said = book.if_contains(revision_member)) {
    boost::system::error_code ec;
    result.revision = said->to_number<uint64_t>(ec);
    if (ec)
      return fail(errc::internal, revision_member, "expected a whole number");
    book.erase(revision_member);
  }
  return result;
}

} // namespace scratchpage
