#include "native/index/document_numbers.h"

#include <algorithm>
#include <new>

namespace freshdex::index {

DocumentNumbers::Reservation DocumentNumbers::Reserve() const {
  Reservation reservation;
  reservation.next = keys_->bound_limit();
  return reservation;
}

DocId DocumentNumbers::Take(Reservation* reservation) const {
  if (reservation->from_end < free_.size()) return free_[free_.size() - ++reservation->from_end];
  return reservation->next++;
}

bool DocumentNumbers::CanTake(DocId doc, const Reservation& reservation) const {
  return doc == reservation.next || (doc < reservation.next && !keys_->IsBound(doc));
}

void DocumentNumbers::TakeChosen(DocId doc, bool is_bound, Reservation* reservation) const {
  if (doc == reservation->next) {
    ++reservation->next;
  } else if (!is_bound) {
    reservation->chosen.push_back(doc);
  }
}

void DocumentNumbers::Commit(Reservation reservation) {
  free_.resize(free_.size() - reservation.from_end);
  std::vector<DocId>& chosen = reservation.chosen;
  if (chosen.empty()) return;
  std::sort(chosen.begin(), chosen.end());
  std::erase_if(free_, [&](DocId doc) { return std::binary_search(chosen.begin(), chosen.end(), doc); });
}

void DocumentNumbers::Apply(Changes changes) noexcept {
  for (const DocId doc : changes.written_) removed_at_.erase(doc);
  freed_.splice(freed_.end(), changes.freed_);
  while (!changes.removed_at_.empty()) {
    auto entry = changes.removed_at_.extract(changes.removed_at_.begin());
    removed_at_.erase(entry.key());
    removed_at_.insert(std::move(entry));
  }
}

std::shared_ptr<const Snapshot> DocumentNumbers::Watch(std::shared_ptr<Snapshot> snapshot) {
  auto is_gone = std::make_shared<std::atomic<bool>>(false);
  const uint64_t sequence = snapshot->sequence;
  const Snapshot* seen = snapshot.get();
  std::shared_ptr<const Snapshot> watched(seen, [keep = std::move(snapshot), is_gone](const Snapshot*) mutable {
    keep.reset();
    is_gone->store(true, std::memory_order_release);
  });
  // Last: without memory for it nobody gets the snapshot, and nobody waits for its end.
  living_.push_back({sequence, is_gone});
  return watched;
}

uint64_t DocumentNumbers::OldestLivingSequence() {
  std::erase_if(living_, [](const Living& snapshot) { return snapshot.is_gone->load(std::memory_order_acquire); });
  uint64_t oldest = UINT64_MAX;
  for (const Living& snapshot : living_) oldest = std::min(oldest, snapshot.sequence);
  return oldest;
}

void DocumentNumbers::Reclaim() noexcept {
  const uint64_t oldest = OldestLivingSequence();
  while (!freed_.empty() && freed_.front().sequence <= oldest) {
    if (free_.size() == free_.capacity()) {
      try {
        free_.reserve(2 * free_.size() + 1);
      } catch (const std::bad_alloc&) {
        return;
      }
    }
    const Freed freed = freed_.front();
    freed_.pop_front();
    const auto removed = removed_at_.find(freed.doc);
    if (removed == removed_at_.end() || removed->second != freed.sequence) continue;
    removed_at_.erase(removed);
    keys_->Release(freed.doc);
    free_.push_back(freed.doc);
  }
}

}  // namespace freshdex::index
