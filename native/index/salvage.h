// What can still be read of a damaged index on disk: its documents one by one, each as a part of a log row for a fresh
// index.
//
// Nothing here fails on damage. A document comes back when its entry in the document table, its record and all its
// terms are as they were written; postings are not needed, since a replay makes them anew. Without the document table
// nothing comes back. Blocks are the grain of checksums, so a damaged byte takes along the documents that share its
// block.
//
// Log rows behind the last flush replay onto nothing but the index they were written for: they count when that can
// still be opened.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "native/base/files.h"
#include "native/base/status.h"
#include "native/index/delta_row.h"
#include "native/index/entry_arena.h"
#include "native/index/index_store.h"
#include "native/index/index_writer.h"

namespace freshdex::index {

enum class SalvagedState : uint8_t {
  kAbsent,  // there is no such document
  kIntact,
  kDamaged,  // there is, but its record or one of its terms is lost; its key is known
};

class Salvage {
 public:
  // Reads all of the segments named in `live`.
  Salvage(std::shared_ptr<FileSystem> files, const std::string& folder, const std::vector<SegmentRef>& live, IndexId id,
          size_t fields, const ColumnKinds& columns);
  // Reads an index that could be opened and its log replayed. Its damage, if any, lies where only searches and single
  // documents meet it.
  explicit Salvage(std::shared_ptr<const Snapshot> snapshot);

  // What is wrong, each problem with file and offset where it has one; the first kMaxProblems of them.
  const std::vector<std::string>& problems() const { return problems_; }
  static constexpr size_t kMaxProblems = 1000;

  size_t documents() const { return intact_; }
  DocId limit() const { return static_cast<DocId>(states_.size()); }
  SalvagedState StateOf(DocId doc) const { return doc < limit() ? states_[doc] : SalvagedState::kAbsent; }

  // REQUIRES: not kAbsent.
  std::string_view KeyOf(DocId doc) const;
  // REQUIRES: kIntact. The views live as long as the salvage.
  std::string_view StoredOf(DocId doc) const { return Read(doc).value().stored; }
  double WeightOf(DocId doc) const { return Read(doc).value().weight; }

  // A row (delta_row.h) that adds these documents to `target`, whose PrepareRow() takes it while nothing else is
  // published. Terms get the target's numbers, documents the next free ones; chunks keep their hashes, so that in a
  // target with the seed of the old index an unchanged page is recognised as such. `stored` takes the place of their
  // stored bytes. On the target's writer thread. REQUIRES: all kIntact and different; as many stored as docs; the
  // target has as many fields and none of the keys. kTooManyTerms, kDocumentTooLarge or kInternal when the target has
  // no room.
  Result<std::string> RowFor(std::span<const DocId> docs, std::span<const std::string_view> stored,
                             const IndexWriter& target) const;

 private:
  // The terms of a segment by number; each entry: u8 field, u8 length, bytes, or null where it is lost.
  struct SoundTerms {
    uint64_t first = 0;
    std::vector<const char*> entries;
    std::shared_ptr<const SegmentFile> segment;
  };

  std::shared_ptr<const SegmentFile> Open(const SegmentRef& ref);
  void ReadTerms(std::shared_ptr<const SegmentFile> segment);
  void ReadSpellings(const SegmentFile& segment);
  std::string_view Keep(std::string_view word);
  void OpenTable(const std::shared_ptr<const SegmentFile>& segment, const std::vector<SegmentRef>& live);
  void ReadDocuments();
  SalvagedState Examine(DocId doc);
  bool Has(DocId doc) const { return snapshot_ ? snapshot_->IsVisible(doc) : table_->Has(doc); }
  Result<RecordView> Read(DocId doc) const;
  std::optional<RowTerm> TermOf(TermId term) const;  // none when it is lost
  TermId TakeOver(TermId term, BatchTerms* terms) const;
  Status AppendPieces(const ForwardView& forward, BatchTerms* terms, std::string* pieces) const;
  void Problem(const std::string& text);

  const std::shared_ptr<const Snapshot> snapshot_;  // null: the parts below instead
  const std::shared_ptr<FileSystem> files_;         // null when there is a snapshot
  const std::string folder_;
  const IndexId id_;
  const size_t fields_;
  const ColumnKinds columns_;
  // Opening a segment needs a log for its damage. Nobody reads this one: what counts is in problems_.
  const std::shared_ptr<DamageLog> damage_ = std::make_shared<DamageLog>();
  std::vector<std::string> problems_;
  std::set<std::string> known_problems_;
  std::vector<SoundTerms> terms_;  // by first term, without overlap
  EntryArena words_;               // the bytes of terms and spellings
  // By term, those of its own. They are of use, but not needed: what is damaged is left out.
  std::unordered_map<TermId, std::vector<std::string_view>> spellings_;
  std::shared_ptr<const DocumentTable> table_;  // with null for each records segment that cannot be opened
  TableKeys keys_;                              // those of table_
  std::vector<SalvagedState> states_;
  size_t intact_ = 0;
};

}  // namespace freshdex::index
