// The best documents that have all of several leaves (pruned_search.h). The rarest proposes its documents block by
// block. While matches are counted, all of them are looked up in the others, and those that can be hits are scored;
// then only those that can be hits are looked up.
#pragma once

#include <vector>

#include "native/score/best_hits.h"

namespace freshdex::score {

class AllSearch {
 public:
  AllSearch(const LeafList& leaves, uint64_t count_up_to, const DocumentSet* passing, BestHits* best,
            SearchBudget* budget);

  void Run();
  // More than count_up_to: at least that many.
  uint64_t matches() const { return matches_; }

 private:
  struct Seat {
    LeafBlocks* leaf;
    std::vector<uint32_t>* tfs;  // of the candidates in the leaf
    size_t block = 0;            // where it is looked up next
    float behind = 0;            // the sum of the bounds of the leaves behind this one
  };

  void MakeBounds();
  // The sum of the bounds of all leaves but the first where documents of [first, last] may stand.
  float BoundOfOthers(index::DocId first, index::DocId last);
  // Both look up the documents of block b of the first leaf: all of them, or those that can be hits if the other leaves
  // add no more than `rest`.
  void Count(size_t b);
  void Search(size_t b, float rest);
  // Leaves the candidates that leaf s has, too. `before` is a bound of what the leaves before it give.
  void Join(size_t s, float before);
  // The same if they can still be hits.
  void Complete(size_t s);
  // Where the candidates from `begin` on that may stand in the same block of a leaf end; 0 if none of them can.
  size_t EndOfBlock(Seat* seat, size_t begin);
  void ScoreCandidates();
  void GatherNormsFor(const LeafBlocks& leaf);
  void Reserve(size_t count);

  const uint64_t count_up_to_;
  const DocumentSet* const passing_;  // null: all documents
  BestHits& best_;
  SearchBudget& budget_;
  std::vector<Seat> seats_;  // rarest first
  uint64_t matches_ = 0;
  bool is_exhausted_ = false;  // some leaf has no document behind those that were looked up last
  bool has_bounds_ = false;
  Candidates candidates_;
  size_t count_ = 0;                            // of the candidates
  bool has_hopeless_ = false;                   // some of them were only counted: a frequency of 0 says so
  std::vector<uint8_t> norms_;                  // of the candidates
  const index::NormTable* gathered_ = nullptr;  // from which they are
  std::vector<index::DocId> wanted_;
  std::vector<uint16_t> wanted_places_;
  std::vector<uint16_t> found_;  // places of what was found, among the candidates and in a block
  std::vector<uint16_t> found_places_;
  std::vector<float> scores_;
  PlaceMap map_;
};

}  // namespace freshdex::score
