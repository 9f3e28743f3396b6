#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <caf/error.hpp>
#include <caf/expected.hpp>

#include "scratchpage/messages/files.hpp"
#include "scratchpage/messages/json/json.hpp"
#include "scratchpage/persistence/files/file_store.hpp"
#include "scratchpage/persistence/store/store.hpp"

namespace scratchpage {

/// Checks the member `checksum` of a scratchbook's file and removes it. Files of older versions
/// have none, and then nothing is compared. Error: `internal` about `checksum` if the rest is not
/// what was written.
caf::error take_checksum(json::object& book);

/// The text of a scratchbook's file, and the version of it.
struct book_file {
  std::string text;
  file_version version;
};

/// Makes the text of a scratchbook's file: JSON with sorted keys. The member `revision` is added
/// unless it is 0. The member `checksum` is XXH3 (16 hexadecimal digits) of the text without it.
/// Such members that `book` has already are replaced.
book_file to_book_file(json::object book, uint64_t revision);

/// As `take_checksum`, and also removes `revision`. Gives the version that the file names; files of
/// older versions, or written by hand, may have neither member.
caf::expected<file_version> take_version(json::object& book);

} // namespace scratchpage

/// Versions of an agent's files as documents of its store, so that a file that is missing, or that
/// was replaced by an older copy, is noticed. Versions are not exported; what is imported or
/// repaired begins without versions.

namespace scratchpage {

/// The stored form of a version.
struct stored_version {
  std::string path;
  file_version version;

  static constexpr auto fields(auto all) {
    using self = stored_version;
    return all(required("path", &self::path), required("version", &self::version));
  }
};

document to_version_document(std::string_view path, const file_version& version);

/// The stored version of one file; nothing if there is none. Errors: those of the store, `internal`
/// if it is damaged.
caf::expected<std::optional<file_version>> find_version(
  store& in, uint64_t agent, std::string_view path);

/// What is wrong with a file of version `found` if `known` is the stored version; "" if nothing is.
/// A newer file was written just before its process died. A file without a checksum was put there
/// by a person on purpose.
std::string version_problem(const file_version& found, const file_version& known);

/// The text for a missing file.
std::string missing_version(const file_version& known);

/// Files of another file store, such as a directory, with their versions in a store.
class versioned_files : public file_store {
public:
  versioned_files(std::unique_ptr<file_store> files, std::shared_ptr<store> in, const ownership& by)
    : files_{std::move(files)},
      store_{std::move(in)},
      by_{by} {}

  caf::error write(std::string_view path, std::string_view bytes) override {
    return files_->write(path, bytes);
  }

  caf::error append(std::string_view path, std::string_view bytes) override {
    return files_->append(path, bytes);
  }

  caf::expected<std::optional<file_content>> read(
    std::string_view path, uint64_t offset, uint64_t most) override {
    return files_->read(path, offset, most);
  }

  caf::error write_version(
    std::string_view path, std::string_view bytes, const file_version& version) override {
    if (auto err = files_->write(path, bytes))
      return err;
    auto row = to_version_document(path, version);
    return store_->put(by_, {&row, 1});
  }

  caf::expected<std::optional<file_version>> version_of(std::string_view path) override {
    return find_version(*store_, by_.agent, path);
  }

private:
  std::unique_ptr<file_store> files_;
  std::shared_ptr<store> store_;
  ownership by_;
};

} // namespace scratchpage
