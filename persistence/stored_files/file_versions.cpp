#include "scratchpage/persistence/stored_files/file_versions.hpp"

#include <array>
#include <cinttypes>
#include <cstdio>
#include <map>
#include <string_view>
#include <utility>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/persistence/store/checksum.hpp"
#include "scratchpage/persistence/store/documents.hpp"

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

/// The checksum of a book, which has no member `checksum`.
std::string checksum_text(const json::object& book) {
  std::array<char, 17> digits{};
  std::snprintf(
    digits.data(), digits.size(), "%016" PRIx64, checksum_of(to_text(json::value(sorted(book)))));
  return digits.data();
}

/// Sets the member `checksum` and returns it.
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
    "expected " + expected
      + ", the checksum of the other members: the file was changed after it was written; if that "
        "was on purpose, remove this member");
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

document to_version_document(std::string_view path, const file_version& version) {
  std::string key{path};
  auto result = to_document(collection::versions, key, stored_version{key, version});
  result.index = document_index{}; // so that it can be found by its name
  return result;
}

caf::expected<std::optional<file_version>> find_version(
  store& in, uint64_t agent, std::string_view path) {
  std::optional<file_version> result;
  caf::error damage;
  document_range range;
  range.key = path;
  auto err = in.find_documents(agent, std::string{collection::versions}, range, [&](document&& x) {
    auto found = from_document<stored_version>(x, {});
    if (found)
      result = std::move(found->version);
    else
      damage = found.error();
    return false;
  });
  if (err || damage)
    return err ? err : damage;
  return result;
}

std::string version_problem(const file_version& found, const file_version& known) {
  if (found.checksum.empty() || found.revision > known.revision)
    return "";
  auto wanted = "revision " + std::to_string(known.revision);
  if (found.revision < known.revision)
    return "it is revision " + std::to_string(found.revision) + ", but " + wanted
           + " was acknowledged: an older copy has replaced it";
  if (found.checksum == known.checksum)
    return "";
  return "it differs from the " + wanted + " that was acknowledged";
}

std::string missing_version(const file_version& known) {
  return "it is missing, but revision " + std::to_string(known.revision) + " was acknowledged";
}

} // namespace scratchpage
