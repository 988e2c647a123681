// Which document numbers are free for another key.
//
// A number is given to another key only when no living snapshot shows the old document. So a removed document's number
// waits until every snapshot from before its removal is gone; until then its key stays bound, and a key that comes back
// gets its old number again.
//
// Threads: the writer only. Snapshots given out by Watch() may end on any thread.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <list>
#include <memory>
#include <unordered_map>
#include <vector>

#include "native/index/ids.h"
#include "native/index/snapshot.h"

namespace freshdex::index {

class DocumentNumbers {
  struct Freed {
    DocId doc;
    uint64_t sequence;  // snapshots of batches before this one show the document
  };

 public:
  // The numbers that a prepared batch wants. Nothing is taken before Commit(), so a batch that is discarded leaves no
  // trace.
  class Reservation {
   private:
    friend class DocumentNumbers;
    size_t from_end = 0;        // this many from the end of free_
    std::vector<DocId> chosen;  // these, from anywhere in free_
    DocId next = 0;             // the first number that was never used
  };

  explicit DocumentNumbers(std::shared_ptr<KeyTable> keys) : keys_(std::move(keys)) {}

  Reservation Reserve() const;
  // A number for a key that has none: the one freed last, else one never used.
  DocId Take(Reservation* reservation) const;
  // For a replay, which must give a key the number it had. False when the number is neither free nor the next one.
  bool CanTake(DocId doc, const Reservation& reservation) const;
  // Takes just this number. `is_bound`: the key still has it, so there is nothing to take from the free ones.
  // REQUIRES: CanTake(), or is_bound.
  void TakeChosen(DocId doc, bool is_bound, Reservation* reservation) const;
  // Makes the reservation's numbers no longer free. REQUIRES: no other reservation was committed since Reserve().
  void Commit(Reservation reservation);

  // What a batch does to documents that have numbers already. It is collected first, so that a batch whose publication
  // fails leaves no trace.
  class Changes {
   public:
    // The document is visible again, or still.
    void OnWritten(DocId doc) { written_.push_back(doc); }
    // The document is removed by batch `sequence`: snapshots of earlier batches show it. Each document once.
    void OnRemoved(DocId doc, uint64_t sequence) {
      freed_.push_back({doc, sequence});
      removed_at_[doc] = sequence;
    }

   private:
    friend class DocumentNumbers;
    std::vector<DocId> written_;
    std::list<Freed> freed_;
    std::unordered_map<DocId, uint64_t> removed_at_;
  };
  // After this, Apply() takes no memory.
  void MakeRoomFor(const Changes& changes) { removed_at_.reserve(removed_at_.size() + changes.removed_at_.size()); }
  void Apply(Changes changes) noexcept;
  // The document was removed, and a living snapshot may still show it.
  bool IsWaiting(DocId doc) const { return removed_at_.contains(doc); }
  // A number that an index loaded from disk leaves unused.
  void AddFree(DocId doc) { free_.push_back(doc); }

  // The snapshot in a form that tells here when its last user lets it go.
  std::shared_ptr<const Snapshot> Watch(std::shared_ptr<Snapshot> snapshot);
  // Unbinds the keys of removed documents that no living snapshot shows, and frees their numbers. Without memory for
  // that it leaves them to the next batch.
  void Reclaim() noexcept;

 private:
  // A snapshot that Watch() gave out. `is_gone` is set behind its last use, so that what a reader read is ordered
  // before what the writer then reuses. A weak_ptr promises no such order.
  struct Living {
    uint64_t sequence;
    std::shared_ptr<const std::atomic<bool>> is_gone;
  };

  uint64_t OldestLivingSequence();

  const std::shared_ptr<KeyTable> keys_;
  std::vector<DocId> free_;  // ready for another key
  std::list<Freed> freed_;   // removed, but maybe still shown by a snapshot; oldest first
  // By document: the sequence of the entry of freed_ that counts. A key may come back and go again, which leaves an
  // entry of freed_ that does not.
  std::unordered_map<DocId, uint64_t> removed_at_;
  std::deque<Living> living_;
};

}  // namespace freshdex::index
