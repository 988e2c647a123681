// The hook of whoever wants to see posting deltas as they are computed, such as the measurement of score shifts. The
// writer tests one pointer per document when nobody listens.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "native/index/document_differ.h"
#include "native/index/forward_record.h"
#include "native/index/ids.h"

namespace freshdex::index {

struct Snapshot;

// One document's change inside a batch that is being prepared. The spans live only during the call.
struct DocumentChange {
  DocId doc = 0;
  std::optional<ForwardView> before;  // none: the document is new
  std::optional<ForwardView> after;   // none: it is removed
  std::span<const PostingDelta> deltas;
  std::span<const uint8_t> norms_before;  // by field; a changed norm moves the scores of unchanged postings too
  std::span<const uint8_t> norms_after;
  double weight_before = 0;
  double weight_after = 0;
  bool has_same_text = false;         // nothing but the weight has moved
  const BatchTerms* terms = nullptr;  // the deltas' terms, those the batch adds included
  // The followed terms of both versions, changed or not; none when they were not met along the way.
  std::optional<FollowedTerms> followed;
};

// Finds terms in whole documents along with their deltas: see DocumentDiffer::Follow(). A call of Follow() or
// Unfollow() invalidates DocumentChange::followed of the document that OnDocument() is being told of.
class TermFollower {
 public:
  virtual ~TermFollower() = default;
  virtual void Follow(TermId term, uint32_t place) = 0;
  virtual void Unfollow(TermId term) = 0;
};

class PostingObserver {
 public:
  virtual ~PostingObserver() = default;
  // Called on the writer's thread, once per document whose text or weight changed. Folds, merges and searches never
  // call it.
  virtual void OnDocument(const DocumentChange& change) = 0;
  // These two throw nothing: what they tell has happened.
  virtual void OnPublish() = 0;
  virtual void OnDiscard() = 0;
  // Terms were reclaimed: from now on they have the numbers of this snapshot. What throws std::bad_alloc changes
  // nothing, and the terms keep the numbers they have.
  virtual void OnRenumber(const Snapshot& now) { (void)now; }
};

}  // namespace freshdex::index
