#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "scratchpage/persistence/privacy/pii_masker.hpp"
#include "scratchpage/persistence/store/sql_store.hpp"

/// Exports as texts. A test ends if something fails that it does not look at.

namespace scratchpage::test {

std::unique_ptr<sql_store> open(const sql::connector& connect);

/// All agents of a store; `files` as an exporter has them.
std::string exported(
  store& from, const pii_masker* masker = nullptr, const std::filesystem::path& files = {});

/// Without their ends.
std::vector<std::string> lines_in(const std::string& text);

/// "none", or the line, the field and what was expected.
std::string import_lines(
  const std::vector<std::string>& lines, store& to, const std::filesystem::path& files = {});

/// The same, all of it or nothing.
std::string imported(const std::string& text, const sql::connector& to);

/// The same as `text`, but line `number` (from 1) is another.
std::vector<std::string> with_line(const std::string& text, size_t number, std::string line);

/// Its number, from 1.
size_t first_line_of(const std::string& text, const std::string& kind);

std::string replaced(std::string text, std::string_view from, std::string_view to);

} // namespace scratchpage::test
