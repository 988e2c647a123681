// The documents of an index on disk: where each record lies, its key, length norms and weight. Written whole at every
// flush that follows a batch; the records themselves lie in segments of kind kRecords, which many tables in a row refer
// to.
//
// Sections of a segment of kind kDocuments:
//
//   1  TableHead
//   2  EntryColumn by document number, packed (entry_rows.h)
//   3  FieldTotals by field
//   4  numbers of the record segments that entries refer to, u64 each
//   5  length norms: for each field in turn, one byte by document number, filled up with zeros to a multiple of 4,096
//   6  the keys of all visible documents, ascending and front-coded (front_coding.h), in packed pieces of 128 KiB
//      (packed_pieces.h)
//   7  the numbers of their documents in that order, in bits as many as the largest number needs (bitpack.h)
//   8  weights, f64 by document number; absent when all are 0
//   9  bytes of the values of columns in each record, u32 by document number; absent when all are 0
//   10 ColumnKind by column; absent without columns, as are the next two
//   11 PagePlace: for each column in turn, those of the pages of 512 documents
//   12 numbers of the segments of kind kColumns that these refer to, u64 each
//
// A records segment has in section 1 for each document its forward record followed by its stored bytes and the values
// of its columns (column_values.h), beginning at a multiple of 8. One that a compaction wrote also has section 2: a
// dictionary, and kPackedSlack zeros behind it. The codes of its records are packed behind that dictionary
// (code_packing.h), except of records that are as long as they were.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "native/base/bytes.h"
#include "native/base/status.h"
#include "native/index/column_page.h"
#include "native/index/column_values.h"
#include "native/index/entry_arena.h"
#include "native/index/entry_rows.h"
#include "native/index/ids.h"
#include "native/index/paged_table.h"
#include "native/index/segment_file.h"

namespace freshdex::index {

struct FieldTotals {
  uint64_t documents = 0;  // with at least one token in the field
  uint64_t tokens = 0;
};

using NormTable = PagedTable<uint8_t, 4096>;

// A document's record, wherever it lies. Lives as long as the snapshot it was read from.
struct RecordView {
  std::string_view forward;
  std::string_view stored;
  std::string_view values;  // of its columns (column_values.h)
  double weight = 0;
  uint64_t sequence = 0;
  std::shared_ptr<const char[]> unpacked;  // where `forward` lies if its codes are packed on disk
};

// What the table says of a document.
struct DocEntry {
  uint64_t offset = 0;         // of the forward record in its segment's section
  uint32_t forward_bytes = 0;  // as it lies there, maybe packed
  uint32_t stored_bytes = 0;
  uint32_t value_bytes = 0;
  uint32_t segment_plus_1 = 0;  // into section 4; 0: no such document
  double weight = 0;
  uint64_t sequence = 0;
};

// The same on disk, without the weight and the bytes of values.
namespace entry_column {
inline constexpr size_t kEighths = 0,  // the offset divided by 8
    kForwardBytes = 1, kStoredBytes = 2, kSegmentPlus1 = 3,
                        kBehind = 4,  // the table's sequence less that of the document, at most 2^32 - 1
    kColumns = 5;
}
using PackedEntries = EntryRows<entry_column::kColumns>;

// Where a page of a column lies.
struct PagePlace {
  uint32_t segment_plus_1 = 0;  // into section 12; 0: no document of the page has a value
  uint32_t eighths = 0;         // its offset in the segment's section, divided by 8
};
static_assert(sizeof(PagePlace) == 8);

// The keys of a table, by document.
struct TableKeys {
  std::vector<const char*> entries;    // u16 length, bytes; null for a document that is not there
  std::vector<DocId> ascending;        // the documents in order of their keys
  std::shared_ptr<EntryArena> memory;  // where the entries are

  std::string_view KeyOf(DocId doc) const {
    return {entries[doc] + sizeof(uint16_t), LoadUnaligned<uint16_t>(entries[doc])};
  }
};

struct TableHead {
  uint64_t sequence = 0;  // batches up to this one are in the table
  uint64_t limit = 0;     // the number of the last document, plus 1
  uint64_t documents = 0;
  uint64_t postings = 0;
  uint64_t forward_bytes = 0;
  uint64_t stored_bytes = 0;
  uint64_t value_bytes = 0;
};

inline constexpr uint32_t kRecordsSection = 1, kDictionarySection = 2;

class DocumentTable {
 public:
  // Verifies everything but the records. The table may have fewer fields and columns: those that the index had when it
  // was written. `open_records` gives the record segment of a number.
  template <typename OpenRecords>
  static Result<std::shared_ptr<const DocumentTable>> Open(std::shared_ptr<const SegmentFile> segment, size_t fields,
                                                           const ColumnKinds& columns, OpenRecords open_records) {
    auto table = std::make_shared<DocumentTable>();
    Status status = table->Load(std::move(segment), fields, columns);
    if (!status.ok()) return status;
    for (uint64_t number : table->record_numbers_) {
      Result<std::shared_ptr<const SegmentFile>> records = open_records(number);
      if (!records.ok()) return records.status();
      table->AddRecordBytes(records.value().get());
      table->records_.push_back(std::move(records.value()));
    }
    return std::shared_ptr<const DocumentTable>(std::move(table));
  }

  DocId limit() const { return limit_; }
  bool Has(DocId doc) const { return doc < limit_ && entries_.Get(doc, entry_column::kSegmentPlus1) != 0; }
  // Verifies the record: kCorrupt, with file and offset, when it is not as it was written. REQUIRES: Has(doc).
  Result<RecordView> Read(DocId doc) const;
  // The same for readers in the middle of a search; notes damage and returns none when it is not as it was written.
  std::optional<RecordView> Find(DocId doc) const;
  DocEntry entry(DocId doc) const {
    return {uint64_t{entries_.Get(doc, entry_column::kEighths)} * 8,
            entries_.Get(doc, entry_column::kForwardBytes),
            entries_.Get(doc, entry_column::kStoredBytes),
            value_bytes_.empty() ? 0 : value_bytes_[doc],
            entries_.Get(doc, entry_column::kSegmentPlus1),
            WeightOf(doc),
            head_->sequence - entries_.Get(doc, entry_column::kBehind)};
  }
  double WeightOf(DocId doc) const { return weights_.empty() ? 0 : weights_[doc]; }
  // For readers of many records: fetches the entry of a document that is read soon, and later, from there, its record.
  void PrefetchEntry(DocId doc) const {
    if (doc < limit_) entries_.Prefetch(doc);
  }
  void PrefetchRecord(DocId doc) const;
  // Reads all keys.
  TableKeys ReadKeys() const;
  // The documents in the order of their keys, without the keys.
  std::vector<DocId> DocsByKey() const;

  const TableHead& head() const { return *head_; }
  std::span<const FieldTotals> totals() const { return totals_; }
  NormTable Norms(size_t field) const;
  std::span<const ColumnKind> column_kinds() const { return column_kinds_; }
  // For each column in turn, those of all documents.
  std::span<const PagePlace> column_pages() const { return column_pages_; }
  std::span<const uint64_t> column_segments() const { return column_segments_; }
  const std::vector<std::shared_ptr<const SegmentFile>>& record_segments() const { return records_; }
  const std::shared_ptr<const SegmentFile>& segment() const { return segment_; }

  // Public for std::make_shared; use Open().
  DocumentTable() = default;

 private:
  Status Load(std::shared_ptr<const SegmentFile> segment, size_t fields, const ColumnKinds& columns);
  bool AreColumnsSound(const ColumnKinds& columns) const;
  bool IsEntrySound(DocId doc) const;
  bool AreKeysSound() const;
  bool AreTotalsExact() const;
  void AddRecordBytes(const SegmentFile* segment);
  // Unpacks the forward record of a view if its codes are packed; kCorrupt when they make no sense.
  Status Unpack(size_t ordinal, RecordView* view) const;

  std::shared_ptr<const SegmentFile> segment_;
  const TableHead* head_ = nullptr;
  DocId limit_ = 0;
  PackedEntries entries_;
  std::span<const FieldTotals> totals_;
  std::span<const uint64_t> record_numbers_;
  std::string_view norms_;
  std::string_view keys_;  // packed
  std::string_view key_docs_;
  std::span<const double> weights_;
  std::span<const uint32_t> value_bytes_;
  std::span<const ColumnKind> column_kinds_;
  std::span<const PagePlace> column_pages_;
  std::span<const uint64_t> column_segments_;
  std::vector<std::shared_ptr<const SegmentFile>> records_;
  std::vector<std::string_view> record_bytes_;  // the sections of these
  std::vector<std::string_view> dictionaries_;  // the same with slack, empty where codes are not packed
};

// The sections by number, for the writer.
namespace table_section {
inline constexpr uint32_t kHead = 1, kEntries = 2, kTotals = 3, kRecordSegments = 4, kNorms = 5, kKeys = 6,
                          kKeyDocs = 7, kWeights = 8, kValueBytes = 9, kColumnKinds = 10, kColumnPages = 11,
                          kColumnSegments = 12;
}

}  // namespace freshdex::index
