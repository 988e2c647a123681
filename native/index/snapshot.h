// A point in time of the index, immutable: everything a reader needs. Readers take one, use it without locks and let it
// go.
//
// Invariants (checked by CheckIndex)
//   S1  partitions cover all term numbers, in order, without gaps or overlap
//   S2  the postings of a term are those of its partition with the deltas of the runs newer than the partition's fold
//       applied, oldest first; every delta's old frequency is what the partition and the older runs say
//   S3  a document is visible if and only if it has a record; norms and weights of invisible documents are 0
//   S4  statistics are exact: documents, postings, and per field documents with a token and the sum of tokens
//   S6  where the norm of a document in a field is below what it was at a partition's fold, `shrunk` of the field has
//   an
//       entry with a later batch than the fold's and at least the norm of that time
//   S5  every term number below term_count is in exactly one tier of sorted_terms, and every spelling below
//   spelling_count in one of sorted_spellings
//   S7  the lists of `phrases` are those of its registry, and S1 and S2 hold for them as for terms
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "native/index/column.h"
#include "native/index/document_table.h"
#include "native/index/forward_record.h"
#include "native/index/ids.h"
#include "native/index/key_table.h"
#include "native/index/paged_table.h"
#include "native/index/phrase_lists.h"
#include "native/index/posting_set.h"
#include "native/index/shrunk_documents.h"
#include "native/index/sorted_terms.h"
#include "native/index/term_dict.h"

namespace freshdex::index {

// A version of a document written since the document table was: in memory. Parts that a new version leaves as they are
// stay shared with the old one.
struct DocRecord {
  bool is_removed = false;  // hides the table's record; everything below is empty
  std::shared_ptr<const std::string> forward;
  std::shared_ptr<const std::string> stored;  // bytes kept for the caller
  std::shared_ptr<const std::string> values;  // of its columns (column_values.h)
  double weight = 0;
  uint64_t sequence = 0;  // the batch that wrote its text
};

// Tables shared by the writer and all snapshots; each guards itself. Where terms were reclaimed, snapshots from before
// keep the terms that they have, and the keys are those of all.
struct Vocabulary {
  explicit Vocabulary(uint64_t with_seed) : Vocabulary(with_seed, std::make_shared<KeyTable>(with_seed)) {}
  Vocabulary(uint64_t with_seed, std::shared_ptr<KeyTable> with_keys)
      : seed(with_seed), terms(with_seed), key_table(std::move(with_keys)), keys(*key_table) {}
  const uint64_t seed;
  TermDict terms;
  SpellingTable spellings;
  const std::shared_ptr<KeyTable> key_table;
  KeyTable& keys;
  std::vector<std::shared_ptr<const SegmentFile>> owners;  // the segments in whose mapped memory terms lie
};

using WeightTable = PagedTable<double, 512>;
using RecordTable = PagedTable<std::shared_ptr<const DocRecord>, 512>;

// What an index holds in memory, by part, in bytes.
struct MemoryParts {
  uint64_t terms = 0;      // terms, spellings, and both in order
  uint64_t keys = 0;       // and document numbers
  uint64_t documents = 0;  // records in memory, norms, weights
  uint64_t postings = 0;   // partitions, runs and lists of phrases in memory
  uint64_t mapped = 0;     // of segments: the operating system takes these pages back when it needs them

  uint64_t held() const { return terms + keys + documents + postings; }
};

// The postings that it is itself are those of its terms.
struct Snapshot : PostingSet {
  std::shared_ptr<const Vocabulary> vocabulary;
  PhraseLists phrases;
  SortedTerms sorted_terms;
  SortedSpellings sorted_spellings;
  std::vector<NormTable> norms;         // by field
  std::vector<ShrunkDocuments> shrunk;  // by field
  std::vector<double> max_weights;      // upper bounds of `weights`, one for every kDocsPerMaxWeight documents
  WeightTable weights;
  std::vector<Column> columns;                                    // in the order of the schema
  std::vector<std::shared_ptr<const SegmentFile>> word_segments;  // with the first words of the columns
  RecordTable records;                                            // what changed since `table` was written
  std::shared_ptr<const DocumentTable> table;                     // documents on disk, or null
  std::shared_ptr<DamageLog> damage;                              // shared by all snapshots of an index
  std::vector<FieldTotals> fields;
  uint64_t documents = 0;
  uint64_t postings = 0;
  DocId doc_limit = 0;    // every visible document is below
  TermId term_count = 0;  // every term in use is below
  SpellingId spelling_count = 0;
  uint64_t sequence = 0;  // number of batches published so far
  uint64_t forward_bytes = 0;
  uint64_t stored_bytes = 0;
  uint64_t value_bytes = 0;  // of the columns, in the records
  MemoryParts memory;        // of the whole index when this snapshot was made

  static constexpr size_t kDocsPerMaxWeight = 4096;

  // All partitions with postings, those of phrases too, have taken up the batches up to this one.
  uint64_t FoldedThrough() const { return phrases.FoldedThrough(PostingSet::FoldedThrough(sequence)); }
  // Raises the upper bounds of the weights. REQUIRES: no reader has seen this snapshot yet.
  void NoteWeight(DocId doc, double weight);

  const TermDict& terms() const { return vocabulary->terms; }
  const SpellingTable& spellings() const { return vocabulary->spellings; }
  bool IsVisible(DocId doc) const {
    const DocRecord* record = records[doc].get();
    return record ? !record->is_removed : table && table->Has(doc);
  }
  // None when the document is invisible, or its record damaged (the damage log then says so).
  std::optional<RecordView> Record(DocId doc) const;
  // The visible document with this key, or kNoDoc.
  DocId FindKey(std::string_view key) const;
  // The term, if this snapshot knows it, or kNoTerm.
  TermId FindTerm(FieldId field, std::string_view bytes) const;

  // kCorrupt unless S1 holds and runs stay within batches, terms and documents of the snapshot: what the walks of a
  // reader rely on.
  Status CheckCoverage() const;

  // The documents that contain each of the terms, in half of the time that asking for one by one takes. REQUIRES: they
  // ascend and are below term_count.
  std::vector<uint32_t> DocumentFrequencies(std::span<const TermId> ascending) const;

 private:
  Status CheckCoverage(const PostingSet& set, uint32_t lists) const;
};

}  // namespace freshdex::index
