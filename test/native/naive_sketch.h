// The naive twin of SketchOf(): all shingles of a document, hashed one by one, in a set.
#pragma once

#include <algorithm>
#include <cstdint>
#include <set>
#include <string_view>
#include <vector>

#include "native/base/xxh64.h"
#include "native/index/document_sketch.h"

namespace freshdex::test {

// `fields`: the term numbers of each field, in order.
inline std::set<uint32_t> NaiveShingles(const std::vector<std::vector<index::TermId>>& fields) {
  std::set<uint32_t> values;
  for (const std::vector<index::TermId>& terms : fields) {
    const size_t length = std::min<size_t>(4, terms.size());
    for (size_t at = 0; length > 0 && at + length <= terms.size(); ++at) {
      const uint64_t hash = Xxh64({reinterpret_cast<const char*>(terms.data() + at), 4 * length}, 0);
      const auto value = static_cast<uint32_t>(hash >> 32);
      values.insert(value == 0xFFFFFFFF ? 0xFFFFFFFE : value);
    }
  }
  return values;
}

inline index::DocumentSketch NaiveSketch(const std::vector<std::vector<index::TermId>>& fields) {
  index::DocumentSketch sketch;
  sketch.fill(0xFFFFFFFF);
  size_t at = 0;
  for (const uint32_t value : NaiveShingles(fields)) {
    if (at == sketch.size()) break;
    sketch[at++] = value;
  }
  return sketch;
}

}  // namespace freshdex::test
