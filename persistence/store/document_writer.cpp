#include "scratchpage/persistence/store/document_writer.hpp"

#include <utility>

#include "scratchpage/persistence/store/documents.hpp"

namespace scratchpage {

void document_writer::remember(std::string key, std::string body) {
  if (body.empty())
    kept_.erase(key);
  else
    kept_.insert_or_assign(std::move(key), std::move(body));
}

caf::error document_writer::put(std::vector<document> rows) {
  auto all = rows;
  for (const auto& key : doubtful_) { // first, so that what is new counts
    auto i = kept_.find(key);
    all.insert(all.begin(), make_document(collection_, key, i == kept_.end() ? "" : i->second));
  }
  if (auto err = store_->put(by_, all)) {
    for (auto& row : rows)
      doubtful_.insert(std::move(row.key));
    return err;
  }
  doubtful_.clear();
  for (auto& row : rows)
    remember(std::move(row.key), std::move(row.body));
  return {};
}

} // namespace scratchpage
