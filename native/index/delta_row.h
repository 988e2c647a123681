// A batch as a row of the log: what a replay needs to publish it again, without any text and without tokenising.
//
// Little endian, no padding; a varint is as AppendVarint() writes it:
//
//   u32 magic 0x52444446 ("FDDR") | u16 version, 5 or 6 | u16 fields | u64 sequence
//   u64 terms that were reclaimed before, more than 0; only in version 6
//   u32 terms | u32 spellings | u32 documents
//   terms       each: u8 field, u8 length, bytes; they get the numbers that follow the last known term
//   u8 for every eight terms, the first in the lowest bit: 1 where the term is spelt as it is (spelling_table.h)
//   spellings   each: u32 term, u8 length, bytes; the same of spellings
//   documents   each: u32 number | u8 flags | parts by flags, in this order
//                 1  was absent     u16 length, bytes
//                 2  not removed    f64 weight, only with flag 8, else it is 0 | varint length, stored bytes
//                 4  new text       u64 text hash | varint length, pieces
//                 16 has values     varint length, values of its columns (column_values.h)
//   u64 XXH64 of all bytes before, seeded with the index's seed
//
//   pieces      per field: varint chunks, then until these are complete:
//                 varint n > 0 | varint first     chunks first..first+n-1 of the old record
//                 varint 0 | 6 bytes of hash | varint length, codes (term_codes.h)    a chunk of its own
//
// Example, one field, seed 0: batch 1 removes document 7, known and without new terms:
//   46444452 0500 0100 0100000000000000 00000000 00000000 01000000 | 07000000 00 | checksum
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "native/base/status.h"
#include "native/index/ids.h"

namespace freshdex::index {

struct RowTerm {
  FieldId field;
  std::string_view bytes;
  bool is_spelt_as_is = true;
};

struct RowSpelling {
  TermId term;
  std::string_view bytes;
};

struct RowDocument {
  DocId doc = 0;
  bool is_removed = false;
  bool has_key = false;
  bool has_new_text = false;
  std::string_view key;
  double weight = 0;
  std::string_view stored;
  std::string_view values;
  uint64_t text_hash = 0;
  std::string_view pieces;
};

struct DeltaRow {
  uint64_t sequence = 0;
  uint64_t reclaimed = 0;  // TermDict::reclaimed() of the index that the row is of
  std::vector<RowTerm> terms;
  std::vector<RowSpelling> spellings;
  std::vector<RowDocument> documents;
};

std::string EncodeRow(const DeltaRow& row, size_t fields, uint64_t seed);
// The views of the row point into `bytes`. kCorrupt when checksum or lengths are wrong, or the row has more fields than
// the index; fewer are those that it had when the row was written.
Result<DeltaRow> DecodeRow(std::string_view bytes, size_t fields, uint64_t seed);

}  // namespace freshdex::index
