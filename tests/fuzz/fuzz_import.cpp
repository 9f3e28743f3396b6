#include <optional>
#include <string>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/persistence/store/checksum.hpp"
#include "scratchpage/persistence/store/memory_store.hpp"
#include "scratchpage/persistence/transfer/export.hpp"
#include "scratchpage/persistence/transfer/import.hpp"
#include "scratchpage/tests/fuzz/targets.hpp"

namespace scratchpage::fuzz {

namespace {

/// The end with the checksum that it should have, which is nothing to guess at.
std::string with_checksum(std::string_view line, const running_checksum& sum) {
  auto end = from_json_text<end_line>(line);
  if (!end || end->line != export_line::end)
    return std::string{line};
  end->checksum = to_hex(sum.value());
  return to_text(to_json(*end));
}

/// Whether all of it could be taken.
bool import_into(store& to, std::string_view lines) {
  importer import{to};
  running_checksum sum;
  while (!lines.empty()) {
    auto line = with_checksum(take_line(lines), sum);
    if (import.take(line))
      return false;
    sum.add(line);
    sum.add("\n");
  }
  return !import.finish();
}

std::string export_from(store& from) {
  std::string result;
  exporter to{[&result](std::string_view line) {
    result += line;
    return caf::error{};
  }};
  auto agents = from.agents();
  promise(static_cast<bool>(agents), "a store has agents");
  for (const auto& x : *agents)
    promise(!to.add(from, x), "what was imported is exported");
  promise(!to.finish(), "an export has an end");
  return result;
}

} // namespace

void import(std::string_view bytes) {
  memory_store first;
  if (!import_into(first, bytes))
    return;
  auto text = export_from(first);
  memory_store second;
  promise(import_into(second, text), "what was exported is imported");
  promise(export_from(second) == text, "exported again the bytes are the same");
}

} // namespace scratchpage::fuzz
