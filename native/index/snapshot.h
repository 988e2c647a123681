// A point in time of the index, immutable: everything a reader needs. Readers take one, use it without locks and let it go.
//
// Invariants (checked by CheckIndex)
//   S1  partitions cover all term numbers, in order, without gaps or overlap
//   S2  the postings of a term are those of its partition with the deltas of the runs newer than the partition's fold applied, oldest first;
//       every delta's old frequency is what the partition and the older runs say
//   S3  a document is visible if and only if it has a record; norms and weights of invisible documents are 0
//   S4  statistics are exact: documents, postings, and per field documents with a token and the sum of tokens
//   S5  every term number below term_count is in exactly one tier of sorted_terms
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "native/index/base_partition.h"
#include "native/index/delta_run.h"
#include "native/index/forward_record.h"
#include "native/index/ids.h"
#include "native/index/key_table.h"
#include "native/index/paged_table.h"
#include "native/index/sorted_terms.h"
#include "native/index/term_dict.h"

namespace freshdex::index {

// What a version of a document consists of. Parts that a new version leaves as they are stay shared with the old one.
struct DocRecord {
  std::shared_ptr<const std::string> forward;
  std::shared_ptr<const std::string> stored;  // bytes kept for the caller; never null
  double weight = 0;
  uint64_t sequence = 0;  // the batch that wrote it
};

// Tables shared by the writer and all snapshots; each guards itself.
struct Vocabulary {
  explicit Vocabulary(uint64_t seed) : terms(seed), keys(seed) {}
  TermDict terms;
  KeyTable keys;
};

struct FieldTotals {
  uint64_t documents = 0;  // with at least one token in the field
  uint64_t tokens = 0;
};

using NormTable = PagedTable<uint8_t, 4096>;
using WeightTable = PagedTable<double, 512>;
using RecordTable = PagedTable<std::shared_ptr<const DocRecord>, 512>;

struct Snapshot {
  std::shared_ptr<const Vocabulary> vocabulary;
  std::vector<std::shared_ptr<const BasePartition>> partitions;
  std::vector<std::shared_ptr<const DeltaRun>> runs;  // oldest first
  SortedTerms sorted_terms;
  std::vector<NormTable> norms;  // by field
  WeightTable weights;
  RecordTable records;
  std::vector<FieldTotals> fields;
  uint64_t documents = 0;
  uint64_t postings = 0;
  DocId doc_limit = 0;   // every visible document is below
  TermId term_count = 0; // every term in use is below
  uint64_t sequence = 0; // number of batches published so far
  uint64_t forward_bytes = 0;
  uint64_t stored_bytes = 0;
  uint64_t memory_bytes = 0;  // of the whole index, when this snapshot was made

  const TermDict& terms() const { return vocabulary->terms; }
  bool IsVisible(DocId doc) const { return records[doc] != nullptr; }
  // The visible document with this key, or kNoDoc.
  DocId FindKey(std::string_view key) const;
  // The term, if this snapshot knows it, or kNoTerm.
  TermId FindTerm(FieldId field, std::string_view bytes) const;

  const BasePartition& PartitionOf(TermId term) const;
  // Documents that contain the term. REQUIRES: term < term_count.
  uint32_t DocumentFrequency(TermId term) const;
};

}  // namespace freshdex::index
