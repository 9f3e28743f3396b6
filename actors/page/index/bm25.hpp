#pragma once

#include <algorithm>
#include <cmath>

#include "scratchpage/actors/page/index/text_index.hpp"

namespace scratchpage {

/// The weights of BM25, for the state in which a text index is.
class bm25 {
public:
  explicit bm25(const text_index& in)
    : k1_{in.k1()},
      b_{in.b()},
      average_{std::max(in.average_length(), 1.0)},
      count_{static_cast<double>(in.indexed().size())} {}

  /// How much a term tells that so many observations have.
  double idf(uint32_t documents) const {
    auto df = static_cast<double>(documents);
    return std::log(1 + (count_ - df + 0.5) / (df + 0.5));
  }

  /// How much a term counts that is so often in an observation of that many terms.
  double weight(uint32_t frequency, uint32_t length) const { return scaled(1, frequency, length); }

  /// The same, times `idf`.
  double scaled(double idf, uint32_t frequency, uint32_t length) const {
    auto tf = static_cast<double>(frequency);
    return idf * tf * (k1_ + 1)
           / (tf + k1_ * (1 - b_ + b_ * static_cast<double>(length) / average_));
  }

private:
  double k1_;
  double b_;
  double average_;
  double count_;
};

} // namespace scratchpage
