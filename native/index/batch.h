// A batch as it crosses from TypeScript: one slab, little endian, no padding. Written by src/core/batch.ts.
//
//   u32 puts | u32 removals | puts... | removals...
//   put      u32 key bytes, key | f64 weight | u32 stored bytes, stored | per field: u8 form, u32 bytes, payload
//   removal  u32 key bytes, key
//
// Form 0 is UTF-8 text; form 1 is tokens, a sequence of {u16 length (1..255), bytes}; form 2, in all fields of a put or
// in none and without payload, is the text that the document has.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "native/base/status.h"
#include "native/index/document_differ.h"

namespace freshdex::index {

struct PutInput {
  std::string_view key;
  std::string_view stored;
  double weight = 0;
  bool keeps_text = false;  // only the stored form and the weight are new; the fields are empty
  size_t first_field = 0;   // into Batch::fields
};

struct Batch {
  std::vector<PutInput> puts;
  std::vector<std::string_view> removals;
  std::vector<FieldInput> fields;  // those of all puts, as many for each put as the index has fields
};

// The views of the batch point into `slab`. Everything is checked: lengths, forms, weights, keys, duplicates, the size
// of each document.
Result<Batch> ParseBatch(std::string_view slab, size_t fields, const AnalysisKinds& analysis,
                         size_t max_document_bytes);

}  // namespace freshdex::index
