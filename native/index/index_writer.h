// The only mutator of an index. A batch goes through two phases: Prepare() computes everything and changes nothing that
// a reader or a later batch could see; Publish() makes it visible, Discard() forgets it. Between the two the caller may
// make the batch durable.
//
// Threads: Current() from any thread. Everything else from one thread at a time (the writer).
//
// Invariants
//   W1  at most one prepared batch at a time
//   W2  after Prepare() fails, or Discard(), the index is as it was before Prepare()
//   W3  a document number is given to another key only when no living snapshot shows the old document
//   W4  folding and merging change no answer and call no observer
//   W5  what throws (std::bad_alloc alone) changes nothing: a batch that Publish() could not publish is still prepared,
//   a
//       flush that could not be adopted still waits
#pragma once

#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "native/base/status.h"
#include "native/index/batch.h"
#include "native/index/delta_row.h"
#include "native/index/document_differ.h"
#include "native/index/document_numbers.h"
#include "native/index/document_sketch.h"
#include "native/index/index_store.h"
#include "native/index/phrase_choice.h"
#include "native/index/phrase_differ.h"
#include "native/index/posting_observer.h"
#include "native/index/snapshot.h"
#include "native/index/term_reclaim.h"

namespace freshdex::index {

struct WriterConfig {
  size_t fields = 1;
  ColumnKinds columns;
  AnalysisKinds analysis = AnalysisKind::kStandard;
  AnalysisKind query_analysis = AnalysisKind::kStandard;  // of what is known of queries without a field
  uint64_t seed = 0;
  size_t max_document_bytes = 16u << 20;
  // A partition is folded when the deltas waiting for it are this share of its postings, and at least fold_floor.
  double fold_share = 0.15;
  size_t fold_floor = 8192;
  size_t partition_bytes = 8u << 20;
  // On disk: no partition is folded while partitions that are only in memory take more than this.
  size_t max_unflushed_bytes = SIZE_MAX;
  PhraseLimits phrase_limits;
  // The field whose text comes from links to the document. It is no part of the document's own text: of its hash and of
  // its sketch.
  size_t link_field = kNoField;
  bool keeps_log = false;  // Prepare() also makes a row for the log
  // Somebody else keeps the stored bytes of documents; here is only their hash (8 bytes, little endian), by which a
  // change of them is noticed and what somebody else gives back can be verified.
  bool keeps_stored_hash = false;
};

// What became of a document that a batch names: kChanged is another text, kReweighted the same text of another weight.
enum class Outcome : uint8_t { kAdded = 0, kChanged = 1, kSame = 2, kRemoved = 3, kMissing = 4, kReweighted = 5 };

// A document that a batch names: its number (kNoDoc when missing), and what became of it as far as searches can tell.
struct NamedDocument {
  DocId doc;
  Outcome outcome;
};

struct WriteReport {
  uint64_t added = 0;
  uint64_t replaced = 0;
  uint64_t unchanged = 0;
  uint64_t removed = 0;
  uint64_t missing = 0;
  uint64_t tokens = 0;
  uint64_t tokens_tokenized = 0;
  uint64_t postings = 0;  // distinct terms of the documents put
  uint64_t postings_written = 0;
  uint64_t new_terms = 0;
  uint64_t tokens_truncated = 0;
  uint64_t rewritten = 0;
  uint64_t moved_targets = 0;  // documents not put whose postings or weight links have moved
};

class IndexWriter : public TermFollower {
 public:
  explicit IndexWriter(const WriterConfig& config);

  // An index on disk. Load() reads the segments that the caller's list names (none: a new index) and comes before
  // everything else.
  IndexWriter(const WriterConfig& config, std::unique_ptr<IndexStore> store);
  // `is_for_records`: for a salvage that wants the records with the log replayed, whatever has become of the postings.
  Status Load(const std::vector<SegmentRef>& live, bool is_for_records = false);
  // For the one writer, after Load(): a crash leaves files that no list names, and their numbers are about to be used.
  Status RemoveUnnamedSegments();
  // Writes everything that is only in memory as segments, numbered from `next_number`. Nothing changes for readers. The
  // caller records the result for good and then calls AdoptFlush(), or AbandonFlush() when it could not. No upkeep
  // happens in between. `tidies`: for a compaction, after its last step and until nothing is added; see
  // IndexStore::Flush(). It reclaims terms, too: the observer of AdoptFlush() is told.
  Result<FlushResult> Flush(uint64_t next_number, bool tidies = false);
  void AdoptFlush(PostingObserver* observer = nullptr);
  void AbandonFlush();

  std::shared_ptr<const Snapshot> Current() const;
  const WriterConfig& config() const { return config_; }
  // The sequence that a row for PrepareRow() must have, and the number of its first new document.
  uint64_t next_sequence() const { return current_->sequence + 1; }
  DocId next_document() const { return vocabulary_->keys.bound_limit(); }

  // `observer` may be null. The slabs are not used after the call. kInternal while a batch is prepared or a flush
  // waits. `links`: what links bring to documents of the index and of the batch (batch.h), which are not refreshed by
  // that.
  Result<WriteReport> Prepare(std::string_view slab, PostingObserver* observer, std::string_view links = {});
  // The same from a row of the log (delta_row.h), without any text. REQUIRES: the row is that of the next batch, else
  // kCorrupt.
  Status PrepareRow(std::string_view row, PostingObserver* observer);
  // The row of the prepared batch; empty unless the configuration keeps a log. REQUIRES, as the next three:
  // has_prepared().
  const std::string& prepared_row() const { return prepared_->row; }
  // For each put, then each removal of the prepared batch, or for each document of its row: its number, or kNoDoc where
  // nothing is to be done.
  const std::vector<DocId>& prepared_numbers() const { return prepared_->numbers; }
  // For each put, then each removal of the prepared batch. Empty for a row.
  const std::vector<NamedDocument>& prepared_documents() const { return prepared_->named; }
  // About the bytes by which publishing the prepared batch makes the index larger; REQUIRES: has_prepared().
  uint64_t PreparedBytes() const;
  // For each entry of `links`: the number of a document that the batch does not put, else kNoDoc.
  const std::vector<DocId>& prepared_targets() const { return prepared_->targets; }
  // A sketch for each of prepared_documents(): that of the new version where the document is added or changed, else an
  // empty one.
  std::vector<DocumentSketch> SketchPrepared() const;

  void Follow(TermId term, uint32_t place) override { differ_.Follow(term, place); }
  void Unfollow(TermId term) override { differ_.Unfollow(term); }

  // REQUIRES: has_prepared() and !has_flush().
  void Publish(PostingObserver* observer);
  void Discard(PostingObserver* observer);
  bool has_prepared() const { return prepared_ != nullptr; }
  bool has_flush() const { return flush_.has_value(); }

  // One step of upkeep (merging runs or folding one partition); false when nothing is due.
  bool MaintainStep();
  // False: MaintainStep() would find nothing. True: it may find something. Takes no time.
  bool IsMaintenanceDue() const;
  // Folds everything, and chooses the registry of phrases anew where that is due: afterwards there are no runs.
  // REQUIRES, as CompactStep(): !has_flush().
  void Compact(PostingObserver* observer = nullptr);
  // One step of Compact(): folds one partition for which deltas wait, or makes the lists of phrases; false when there
  // is nothing to do. A caller who flushes before the first step and after each needs no more space than one partition
  // takes, or the lists of phrases. An index in memory reclaims terms, of which the observer is told.
  bool CompactStep(PostingObserver* observer = nullptr);
  // The bytes of partitions and runs that are only in memory.
  uint64_t UnflushedBytes() const;

 private:
  struct PreparedDoc {
    DocId doc = 0;
    bool is_new_key = false;
    std::string_view key;                    // into PreparedBatch::keys or the key table
    std::optional<RecordView> before;        // into PreparedBatch::base
    std::shared_ptr<const DocRecord> after;  // null: removed
    bool has_new_text = false;
    bool has_new_values = false;
    uint64_t text_hash = 0;
    std::string pieces;  // for the log
  };
  struct PreparedBatch {
    PreparedBatch(std::shared_ptr<const Snapshot> current, uint64_t seed)
        : base(std::move(current)), terms(base->terms(), base->spellings(), seed) {}
    std::shared_ptr<const Snapshot> base;
    BatchTerms terms;
    std::deque<std::string> keys;
    std::vector<PreparedDoc> docs;
    std::vector<PostingDelta> deltas;
    std::vector<size_t> delta_ends;  // per document of `docs`
    std::shared_ptr<const DeltaRun> run;
    std::vector<PostingDelta> phrase_deltas;  // of the lists of the base's registry
    std::vector<size_t> phrase_ends;          // per document of `docs`
    std::shared_ptr<const DeltaRun> phrase_run;
    std::vector<DocId> numbers;
    std::vector<NamedDocument> named;
    std::vector<DocId> targets;
    std::string row;
    WriteReport report;
    DocumentNumbers::Reservation reserved;
  };
  // The failure of a call that may not come while a batch is prepared or a flush waits.
  static Status OutOfTurn();
  // `linked`: what links bring to the document; null when that stays as it is.
  Status PreparePut(const Batch& batch, const PutInput& put, const LinkedInput* linked, PostingObserver* observer,
                    PreparedBatch* prepared);
  // A document that is not put, and whose links move.
  Status PrepareTarget(const LinkedInput& linked, PostingObserver* observer, PreparedBatch* prepared);
  // The fields of `own` with the text of the links among them.
  std::vector<FieldInput> WithLinks(std::span<const FieldInput> own, bool keeps_own, const LinkedInput* linked) const;
  Status DiffPrepared(std::span<const FieldInput> input, uint64_t text_hash, PreparedBatch* prepared,
                      PreparedDoc* entry, DocRecord* after, DiffOutcome* outcome);
  void PrepareRemoval(std::string_view key, PostingObserver* observer, PreparedBatch* prepared);
  void AssignDoc(std::string_view key, PreparedBatch* prepared, PreparedDoc* entry);
  // Tells the observer of a document. `is_compared`: the differ's last work was this document.
  void Notify(const PreparedDoc& entry, size_t first_delta, bool is_compared, const PreparedBatch& prepared,
              PostingObserver* observer) const;
  // Adds a document whose deltas are complete; `is_compared`: the differ's last work was this document.
  void Add(PreparedDoc entry, bool is_compared, PreparedBatch* prepared);
  std::shared_ptr<const DeltaRun> SealDeltas(const std::vector<PreparedDoc>& docs, std::vector<PostingDelta> deltas,
                                             const std::vector<size_t>& ends) const;
  // A record on disk is as it was written; before it is compared with or copied, it must make sense too. Notes the
  // damage if not.
  bool CanBuildOn(const PreparedDoc& entry) const;
  std::string MakeRow(const PreparedBatch& prepared) const;
  Status ReplayDocument(const RowDocument& document, PostingObserver* observer, PreparedBatch* prepared);
  Result<WriteReport> PrepareBatch(std::string_view slab, std::string_view links, PostingObserver* observer);
  Status PrepareDecoded(const DeltaRow& row, std::string_view bytes, PostingObserver* observer);
  Status Complete(std::unique_ptr<PreparedBatch> prepared);

  void AddTermsAndKeys(Snapshot* next);
  void ApplyDocuments(Snapshot* next, DocumentNumbers::Changes* changes);
  // Forgets what AddTermsAndKeys() added, all or a part of it.
  void TakeBackTermsAndKeys(const Snapshot& before) noexcept;
  void Show(std::shared_ptr<const Snapshot> next) noexcept;
  // An observer that was told of documents is told, too, when nothing comes of them.
  template <typename Work>
  auto PrepareOrForget(PostingObserver* observer, Work work) {
    try {
      auto result = work();
      if (!result.ok() && observer) observer->OnDiscard();
      return result;
    } catch (...) {
      prepared_.reset();
      if (observer) observer->OnDiscard();
      throw;
    }
  }
  void ApplyColumns(Snapshot* next);
  void Install(std::shared_ptr<Snapshot> next);

  MemoryParts MemoryOf(const Snapshot& snapshot) const;

  // Upkeep, in index_upkeep.cc. A set is that of the terms or that of the phrases.
  enum class Set { kTerms, kPhrases };
  const PostingSet& SetOf(Set set) const;
  bool MergeSmallRuns(Set set);
  bool FoldFullestPartition();
  bool FoldWaiting(Set set);
  void FoldPartition(Set set, size_t index);
  bool MakePhraseLists();
  bool DropUnusedWords();
  bool DropUnusedTerms(PostingObserver* observer);
  // From now on terms have other numbers. Takes no memory that it must have.
  void TakeVocabulary(std::shared_ptr<Vocabulary> vocabulary) noexcept;
  bool MayFold() const;
  bool IsMergeDue(Set set) const;

  const WriterConfig config_;
  std::shared_ptr<Vocabulary> vocabulary_;  // that of current_
  DocumentNumbers numbers_;
  // While no more deltas than this are published, no partition is full. 0: it is not known.
  size_t deltas_before_fold_ = 0;
  DocumentDiffer differ_;
  PhraseDiffer phrase_differ_;
  std::unique_ptr<PreparedBatch> prepared_;
  std::unique_ptr<IndexStore> store_;  // null: in memory
  struct PendingFlush {
    FlushResult result;
    std::shared_ptr<Snapshot> next;
    std::shared_ptr<Vocabulary> vocabulary;  // its, where terms were reclaimed, or null
  };
  std::optional<PendingFlush> flush_;

  mutable std::mutex current_mutex_;
  std::shared_ptr<const Snapshot> current_;  // guarded by current_mutex_; written by the writer only
};

}  // namespace freshdex::index
