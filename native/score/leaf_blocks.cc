#include "native/score/leaf_blocks.h"

#include <algorithm>

namespace freshdex::score {

using index::BlockEntry;
using index::DocId;

namespace {

// From so many wanted documents on, it pays to fill a map of a block.
constexpr size_t kLeastMapped = 12;

}  // namespace

LeafBlocks::LeafBlocks(const index::Snapshot& snapshot, const Scoring& scoring, const FlatLeaf& leaf,
                       ScorerCache* scorers)
    : scorer_(scorers->Get(scoring, snapshot, leaf.field)),
      shrunk_(scorers->GetShrunk(scoring, snapshot, leaf.field)),
      token_(leaf.token),
      word_(leaf.word),
      blocks_(snapshot, leaf.term),
      norms_(snapshot.norms[leaf.field]) {
  weight_ = Capped(leaf.boost * scorer_.Idf(blocks_.df()));
}

LeafBlocks::LeafBlocks(const index::Snapshot& snapshot, const Scoring& scoring, index::FieldId field,
                       const PhraseSource& source, double weight, ScorerCache* scorers)
    : scorer_(scorers->Get(scoring, snapshot, field)),
      shrunk_(scorers->GetShrunk(scoring, snapshot, field)),
      token_(0),
      word_(0),
      blocks_(*source.set, snapshot.doc_limit, source.number),
      norms_(snapshot.norms[field]),
      weight_(weight) {}

void LeafBlocks::MakeBounds() {
  bounds_.assign(count(), 0);
  BoundBase();
  // Shrunk documents first: what they add is relative to the bounds of the impacts.
  RaiseForShrunk();
  RaiseForPatches();
  for (float bound : bounds_) max_bound_ = std::max(max_bound_, bound);
}

void LeafBlocks::BoundBase() {
  const index::PostingList& list = blocks_.list();
  if (list.is_single) {
    bounds_[0] = Rough(list.single_tf, norms_[list.single_doc]);
  } else if (list.impacts) {
    BoundBlocks(scorer_.model(), scorer_.rough_parts(), static_cast<float>(weight_), list.impacts, list.block_count,
                bounds_.data());
  } else {
    for (size_t b = 0; b < list.block_count; ++b) {
      const BlockEntry& block = list.blocks[b];
      bounds_[b] = Rough(block.max_tf == 255 ? index::kMaxTf : block.max_tf, block.min_norm);
    }
  }
}

size_t LeafBlocks::Liftable(size_t b, const uint8_t* norm_bytes, const float* sums, size_t count, float limit,
                            uint16_t* places) const {
  if (!HasImpacts(b)) return AtLeast(sums, count, limit - bounds_[b], places);
  const uint8_t* pairs = blocks_.list().impacts + b * index::kImpactBytes;
  // Of documents that became shorter, the pairs know other norms: all that holds for them is the largest frequency.
  uint8_t most[index::kImpactBytes] = {};
  if (HasShrunk(b)) {
    most[0] = blocks_.list().blocks[b].max_tf;
    pairs = most;
  }
  return KeepBounded(scorer_.model(), scorer_.rough_parts(), static_cast<float>(weight_), pairs, norm_bytes, sums,
                     count, limit, places);
}

// The frequencies alone rule out many, for which no length is read.
size_t LeafBlocks::KeepAtLeast(const index::PostingBlocks::Block& block, size_t b, float limit, DocId* docs,
                               uint32_t* tfs, uint8_t* norm_bytes, float* scores) const {
  const size_t count = KeepFrequent(block.docs, block.tfs, block.count, LeastTf(b, limit), docs, tfs);
  GatherNorms(norms_, docs, count, norm_bytes);
  return KeepScores(scorer_.model(), scorer_.rough_parts(), static_cast<float>(weight_), limit, count, docs, tfs,
                    norm_bytes, scores);
}

uint32_t LeafBlocks::LeastTf(size_t b, float limit) const {
  // Beyond a few, the frequencies that are left are few, too.
  constexpr uint32_t kMost = 8;
  if (!HasImpacts(b)) return 1;
  const uint8_t* pairs = blocks_.list().impacts + b * index::kImpactBytes;
  const float times = HasShrunk(b) ? times_[b] : 1;
  uint32_t tf = 1;
  for (; tf < kMost; ++tf) {
    uint8_t norm = 255;
    for (size_t i = 0; i < index::kImpactBytes; i += 2) norm = pairs[i] >= tf ? std::min(norm, pairs[i + 1]) : norm;
    const float most =
        ScoreRough(scorer_.model(), scorer_.rough_parts()[norm], static_cast<float>(weight_), static_cast<float>(tf));
    if (most * times >= limit) break;
  }
  return tf;
}

void LeafBlocks::RaiseForPatches() {
  if (!blocks_.has_patches()) return;
  if (!blocks_.has_patches()) return;
  is_changed_.assign(count(), false);
  size_t b = 0;
  for (const auto& patch : blocks_.patches()) {
    b = blocks_.Find(patch.doc, b);
    is_changed_[b] = true;
    if (patch.tf > 0) bounds_[b] = std::max(bounds_[b], Rough(patch.tf, norms_[patch.doc]));
  }
}

void LeafBlocks::RaiseForShrunk() {
  const index::PostingList& list = blocks_.list();
  if (list.is_single || shrunk_.IsKnownTo(blocks_.folded_through())) return;
  times_.assign(count(), 0);
  for (size_t b = 0; b < list.block_count; ++b) {
    const ShrunkBounds::Raise raise = shrunk_.In(first_doc(b), last_doc(b));
    if (!raise.is_any()) continue;
    times_[b] = raise.times;
    const uint8_t max_tf = list.blocks[b].max_tf;
    const float at_most = Rough(max_tf == 255 ? index::kMaxTf : max_tf, raise.norm);
    bounds_[b] = std::max(bounds_[b], std::min(at_most, bounds_[b] * raise.times));
  }
}

void LeafBlocks::Lookup(const std::vector<DocId>& docs, size_t* block, std::vector<uint32_t>* tfs, const float* sums,
                        float limit) {
  tfs->assign(docs.size(), 0);
  if (wanted_places_.size() < docs.size() + kPlaceSlack) {
    wanted_places_.resize(docs.size() + kPlaceSlack);
    places_.resize(docs.size() + kPlaceSlack);
  }
  for (size_t begin = 0, end; begin < docs.size(); begin = end) {
    *block = blocks_.Find(docs[begin], *block);
    if (*block == count()) return;
    end = SkipTo(docs.data(), begin, docs.size(), last_doc(*block) + 1);
    if (sums && *std::max_element(sums + begin, sums + end) + bounds_[*block] < limit) continue;
    const index::PostingBlocks::Block& postings = LoadDocs(*block);
    const size_t found = Intersect(docs.data() + begin, end - begin, postings.docs, postings.count,
                                   wanted_places_.data(), places_.data());
    if (found == 0) continue;
    const std::span<const uint32_t> found_tfs = Tfs(*block);
    for (size_t i = 0; i < found; ++i) (*tfs)[begin + wanted_places_[i]] = found_tfs[places_[i]];
  }
}

size_t LeafBlocks::Match(size_t b, const DocId* wanted, size_t count, PlaceMap* map, uint16_t* wanted_places,
                         uint16_t* places) {
  const index::PostingBlocks::Block& block = LoadDocs(b);
  const bool fits =
      block.count > 0 && block.count <= PlaceMap::kMaxPostings && last_doc(b) - first_doc(b) < PlaceMap::kSpan;
  if (count < kLeastMapped || !fits) return Intersect(wanted, count, block.docs, block.count, wanted_places, places);
  map->Fill(first_doc(b), block.docs, block.count);
  return map->Find(wanted, count, wanted_places, places);
}

void LeafBlocks::Score(const DocId* docs, const uint32_t* tfs, size_t count, std::vector<float>* scores) {
  if (norm_bytes_.size() < count) norm_bytes_.resize(count);
  GatherNorms(norms_, docs, count, norm_bytes_.data());
  Score(norm_bytes_.data(), tfs, count, scores);
}

void LeafBlocks::Score(const uint8_t* norm_bytes, const uint32_t* tfs, size_t count, std::vector<float>* scores) const {
  if (scores->size() < count) scores->resize(count);
  ScorePostings(scorer_.model(), scorer_.rough_parts(), static_cast<float>(weight_), tfs, norm_bytes, count,
                scores->data());
}

}  // namespace freshdex::score
