// A batch as it crosses from TypeScript: one slab, little endian, no padding. Written by src/core/batch.ts.
//
//   u32 puts | u32 removals | puts... | removals...
//   put      u32 key bytes, key | f64 weight | u32 stored bytes, stored | values, where the index has columns |
//            per field: u8 form, u32 bytes, payload
//   values   u32 bytes, payload (column_values.h)
//   removal  u32 key bytes, key
//
// Form 0 is UTF-8 text; form 1 is tokens, a sequence of {u16 length (1..255), bytes}; form 2, without payload, is the
// text that the document has. The field that links fill, if the index has one, is of form 2 in every put; of the other
// fields all are or none. A weight that is NaN is the one that the document has, 0 for a new one.
//
// What links bring to documents comes beside it, written by src/links/link-slab.ts:
//
//   u32 entries | each: u32 key bytes, key | f64 weight, NaN: as it is
//                       | where the index has a field that links fill: u8 form, u32 bytes, payload
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "native/base/status.h"
#include "native/index/column_values.h"
#include "native/index/document_differ.h"

namespace freshdex::index {

struct PutInput {
  std::string_view key;
  std::string_view stored;
  double weight = 0;
  bool keeps_weight = false;  // `weight` says nothing
  std::string_view payload;   // of its columns (column_values.h)
  std::string values;         // made of that, unless
  bool keeps_values = false;  // some are those that the document has
  bool keeps_text = false;    // only the stored form, the weight and the values are new; the fields are empty
  size_t first_field = 0;     // into Batch::fields
};

// What links to a document make of it now.
struct LinkedInput {
  std::string_view key;
  std::optional<double> weight;     // none: as it is
  std::optional<FieldInput> texts;  // of the field that links fill; none where the index has no such field
};

struct Batch {
  std::vector<PutInput> puts;
  std::vector<std::string_view> removals;
  std::vector<FieldInput> fields;  // those of all puts, as many for each put as the index has fields
};

// The number of a field that no index has.
inline constexpr size_t kNoField = SIZE_MAX;

// The views of the batch point into `slab`. Everything is checked: lengths, forms, weights, values, keys, duplicates,
// the size of each document. `link_field`: the field that links fill, or kNoField.
Result<Batch> ParseBatch(std::string_view slab, size_t fields, const ColumnKinds& columns,
                         const AnalysisKinds& analysis, size_t max_document_bytes, size_t link_field = kNoField);
// The same of what links bring. An empty slab has no entries.
Result<std::vector<LinkedInput>> ParseLinks(std::string_view slab, const AnalysisKinds& analysis, size_t link_field);
// The keys of a batch, put or removed, for a look at what it will cost. Nothing is checked but lengths: of a batch that
// runs over its end they are those before that.
std::vector<std::string_view> KeysOf(std::string_view slab, size_t fields, const ColumnKinds& columns);

}  // namespace freshdex::index
