#include "scratchpage/persistence/store/documents.hpp"

namespace scratchpage {

void document_writer::remember(document x) {
  place where{std::move(x.collection), std::move(x.key)};
  if (x.body.empty())
    kept_.erase(where);
  else
    kept_.insert_or_assign(std::move(where), std::move(x.body));
}

caf::error document_writer::put(std::vector<document> rows) {
  auto all = rows;
  for (const auto& where : doubtful_) { // before `rows`, so that these count
    auto i = kept_.find(where);
    all.insert(
      all.begin(), make_document(where.first, where.second, i == kept_.end() ? "" : i->second));
  }
  if (auto err = store_->put(by_, all)) {
    for (auto& row : rows)
      doubtful_.emplace(std::move(row.collection), std::move(row.key));
    return err;
  }
  doubtful_.clear();
  for (auto& row : rows)
    remember(std::move(row));
  return {};
}

} // namespace scratchpage
