#pragma once

#include <memory>
#include <utility>

#include "scratchpage/persistence/files/file_store.hpp"
#include "scratchpage/persistence/stored_files/kept_versions.hpp"

namespace scratchpage {

/// Files elsewhere, such as in a directory, whose versions are kept in a store.
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
