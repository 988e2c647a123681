// The postings of one leaf of a flat query, block by block, with a bound of the scores in each block.
//
// Bounds and rough scores are in single precision: they rule documents out, and those that remain are scored exactly.
#pragma once

#include <cstdint>
#include <vector>

#include "native/index/posting_blocks.h"
#include "native/score/block_kernels.h"
#include "native/score/flat_query.h"
#include "native/score/phrase_sources.h"
#include "native/score/place_map.h"
#include "native/score/similarity.h"

namespace freshdex::score {

class LeafBlocks {
 public:
  // The snapshot, and the last snapshot of which `scorers` gave something, must outlive the object.
  LeafBlocks(const index::Snapshot& snapshot, const Scoring& scoring, const FlatLeaf& leaf, ScorerCache* scorers);
  // A list of the snapshot, of its terms or of its phrases, scored with the weight of a phrase.
  LeafBlocks(const index::Snapshot& snapshot, const Scoring& scoring, index::FieldId field, const PhraseSource& source,
             double weight, ScorerCache* scorers);

  uint32_t df() const { return blocks_.df(); }
  uint32_t token() const { return token_; }
  uint32_t word() const { return word_; }
  double weight() const { return weight_; }
  bool has_rough_scores() const { return scorer_.has_rough_scores(); }
  size_t count() const { return blocks_.count(); }
  // Whether places in blocks fit into 16 bits: so many changes may wait for a fold that they do not.
  bool has_small_blocks() const { return blocks_.patches().size() <= kMostPatches; }
  index::DocId last_doc(size_t b) const { return blocks_.last_doc(b); }
  // Documents of block b are from here on.
  index::DocId first_doc(size_t b) const { return b == 0 ? 0 : blocks_.last_doc(b - 1) + 1; }
  size_t Find(index::DocId target, size_t from) const { return blocks_.Find(target, from); }

  // Makes the bounds below. They hold for every posting of the snapshot, changes after the fold included.
  void MakeBounds();
  float bound(size_t b) const { return bounds_[b]; }
  float max_bound() const { return max_bound_; }
  // The largest bound of the blocks that may have documents in [begin, end). REQUIRES: first = Find(begin, 0).
  float BoundIn(index::DocId end, size_t first) const {
    float bound = 0;
    for (size_t b = first; b < count() && first_doc(b) < end; ++b) bound = std::max(bound, bounds_[b]);
    return bound;
  }

  // Copies the postings of block b that score at least `limit`, with norms and rough scores; returns how many.
  // REQUIRES: `block` is Load(b); room for all of it and kKeepSlack more.
  size_t KeepAtLeast(const index::PostingBlocks::Block& block, size_t b, float limit, index::DocId* docs, uint32_t* tfs,
                     uint8_t* norm_bytes, float* scores) const;
  // The places of the sums that a posting of block b may lift to `limit`, by the norms of the documents.
  size_t Liftable(size_t b, const uint8_t* norm_bytes, const float* sums, size_t count, float limit,
                  uint16_t* places) const;

  // The postings of block b; decodes it unless it is the last that was asked for.
  const index::PostingBlocks::Block& Load(size_t b) {
    LoadDocs(b);
    if (!block_.tfs) block_.tfs = Tfs(b).data();
    return block_;
  }
  // The same without the frequencies, unless they are there.
  const index::PostingBlocks::Block& LoadDocs(size_t b) {
    if (b != loaded_) {
      block_ = blocks_.DecodeDocs(b);
      loaded_ = b;
      if (block_.tfs) {
        tfs_ = {block_.tfs, block_.count};
        loaded_tfs_ = b;
      }
    }
    return block_;
  }
  // The frequencies alone.
  std::span<const uint32_t> Tfs(size_t b) {
    if (b != loaded_tfs_) {
      const bool is_patched = blocks_.has_patches() && !blocks_.PatchesOf(b).empty();
      if (is_patched) return {LoadDocs(b).tfs, block_.count};
      tfs_ = blocks_.DecodeTfs(b);
      loaded_tfs_ = b;
    }
    return tfs_;
  }
  // Where block b has some of the wanted documents: the places on both sides. Returns how many. REQUIRES: they ascend
  // within first_doc(b) and last_doc(b), there is room for kPlaceSlack places more than there are of them.
  size_t Match(size_t b, const index::DocId* wanted, size_t count, PlaceMap* map, uint16_t* wanted_places,
               uint16_t* places);
  const index::NormTable& norms() const { return norms_; }
  // Rough scores of `count` postings. REQUIRES: docs ascending.
  void Score(const index::DocId* docs, const uint32_t* tfs, size_t count, std::vector<float>* scores);
  // The same by length norms that are known.
  void Score(const uint8_t* norm_bytes, const uint32_t* tfs, size_t count, std::vector<float>* scores) const;
  // The frequencies in documents, 0 for none. *block is where to begin and where it ended, count() if the last of them
  // are behind all postings. Where `sums` is given, documents that the block's bound does not lift to `limit` may get
  // 0. REQUIRES: docs ascending, *block <= Find(docs[0], 0).
  void Lookup(const std::vector<index::DocId>& docs, size_t* block, std::vector<uint32_t>* tfs, const float* sums,
              float limit);
  double Exact(uint32_t tf, index::DocId doc) const { return scorer_.Score(weight_, tf, norms_[doc]); }

 private:
  static constexpr size_t kMostPatches = 1u << 15;

  // Postings of block b with a smaller frequency score less than `limit`.
  uint32_t LeastTf(size_t b, float limit) const;
  float Rough(double tf, uint8_t norm) const { return static_cast<float>(scorer_.Score(weight_, tf, norm)); }
  void BoundBase();
  // Whether the impacts of block b hold for the frequencies of all its postings.
  bool HasImpacts(size_t b) const {
    return b < blocks_.base_count() && blocks_.list().impacts && (is_changed_.empty() || !is_changed_[b]);
  }
  bool HasShrunk(size_t b) const { return !times_.empty() && times_[b] > 0; }
  void RaiseForPatches();
  void RaiseForShrunk();

  const FieldScorer& scorer_;
  const ShrunkBounds& shrunk_;
  const uint32_t token_;
  const uint32_t word_;
  index::PostingBlocks blocks_;
  const index::NormTable& norms_;
  double weight_ = 0;
  std::vector<float> bounds_;
  float max_bound_ = 0;
  // Blocks with changes of the term itself since the fold: no more is known of them than their bounds.
  std::vector<bool> is_changed_;
  // By block: so many times what impacts say may postings of documents score that became shorter; 0 where there are
  // none. Empty where there are none at all.
  std::vector<float> times_;
  index::PostingBlocks::Block block_;
  size_t loaded_ = SIZE_MAX;
  std::span<const uint32_t> tfs_;
  size_t loaded_tfs_ = SIZE_MAX;
  std::vector<uint8_t> norm_bytes_;
  std::vector<uint16_t> wanted_places_;
  std::vector<uint16_t> places_;
};

}  // namespace freshdex::score
