#pragma once

#include <filesystem>

#include <caf/error.hpp>

#include "scratchpage/runtime/cli/io/files.hpp"
#include "scratchpage/runtime/models/model_access.hpp"

namespace scratchpage {

/// The file of `--model-replies`. If it is there, models are not asked: their replies come from it.
/// If it is not, they are asked, and their replies are written to it.
class model_replies {
public:
  /// `file` may be empty: then models are asked, and nothing is kept. An error names the file.
  caf::error open(const std::filesystem::path& file);

  /// What agents need to ask models.
  const models::model_access& access() const { return access_; }

  /// Writes the replies if they were recorded. The file appears with `commit`.
  caf::error finish();
  caf::error commit();

private:
  models::model_access access_;
  output_file out_;
};

} // namespace scratchpage
