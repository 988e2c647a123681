// The values that 512 documents in a row have in one column. Immutable; in memory or mapped, and the same bytes in both
// cases, beginning at a multiple of 8:
//
//   OFFSET  SIZE    MEANING
//   0       4       V: number of values
//   4       4       1 where every document has exactly one value (V is 512 then), else 0
//   8       4*513   only without that 1: where the values of each document begin, and V as the last; then 4 zero bytes
//   ...     4*V     keyword: ordinals of words. Zeros up to a multiple of 8
//           8*V     all other kinds: f64
//
// Values of a document ascend, each once.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "native/index/column_values.h"
#include "native/index/segment_file.h"

namespace freshdex::index {

class ColumnPage {
 public:
  static constexpr size_t kDocs = 512;

  // T is uint32_t for keywords, else double. `begins` has kDocs + 1 places of `values`.
  template <typename T>
  static std::shared_ptr<const ColumnPage> Build(std::span<const uint32_t> begins, std::span<const T> values) {
    return std::shared_ptr<const ColumnPage>(
        new ColumnPage(begins, {reinterpret_cast<const char*>(values.data()), values.size_bytes()},
                       static_cast<uint32_t>(values.size())));
  }
  // Shows a page of a segment; null when the bytes from `at` on are none, or when a value makes no sense: a number that
  // is not finite or an ordinal from `ordinals` on.
  static std::shared_ptr<const ColumnPage> Open(std::string_view at, ColumnKind kind, uint32_t ordinals,
                                                std::shared_ptr<const SegmentFile> segment);

  // Those of the document `nth` of the page.
  template <typename T>
  std::span<const T> Values(size_t nth) const {
    const T* values = reinterpret_cast<const T*>(values_);
    if (!begins_) return {values + nth, 1};
    return {values + begins_[nth], begins_[nth + 1] - begins_[nth]};
  }
  // Those of all documents, one after another.
  template <typename T>
  std::span<const T> All() const {
    return {reinterpret_cast<const T*>(values_), count_};
  }
  // Whether every document has exactly one value: All()[nth] is that of the document `nth`.
  bool is_dense() const { return begins_ == nullptr; }

  std::string_view bytes() const { return bytes_; }
  // Null for a page in memory.
  const std::shared_ptr<const SegmentFile>& segment() const { return segment_; }

 private:
  ColumnPage() = default;
  ColumnPage(std::span<const uint32_t> begins, std::string_view values, uint32_t count);
  bool MakesSense(ColumnKind kind, uint32_t ordinals) const;

  std::vector<uint64_t> own_;  // the bytes, when they are in memory
  std::shared_ptr<const SegmentFile> segment_;
  std::string_view bytes_;
  const uint32_t* begins_ = nullptr;
  const char* values_ = nullptr;
  uint32_t count_ = 0;
};

}  // namespace freshdex::index
