// The best documents that have all of several leaves (pruned_search.h). The rarest proposes its documents block by
// block: all of them while matches are counted, then those that can still be hits.
#pragma once

#include <vector>

#include "native/score/best_hits.h"

namespace freshdex::score {

class AllSearch {
 public:
  AllSearch(const LeafList& leaves, uint64_t count_up_to, BestHits* best);

  void Run();
  // More than count_up_to: at least that many.
  uint64_t matches() const { return matches_; }

 private:
  struct Seat {
    LeafBlocks* leaf;
    size_t number;     // of the leaf in the query
    size_t block = 0;  // where it is looked up next
  };

  void MakeBounds();
  float BoundOfOthers(index::DocId first, index::DocId last) const;
  void Propose(size_t b, bool is_counting, float rest);
  // Keeps the candidates that this leaf has, too.
  void Keep(size_t s);
  void OfferCandidates();

  const uint64_t count_up_to_;
  BestHits& best_;
  std::vector<Seat> seats_;  // rarest first
  uint64_t matches_ = 0;
  bool is_exhausted_ = false;  // some leaf has no document behind those that were kept last
  bool has_bounds_ = false;
  float others_bound_ = 0;
  Candidates candidates_;
  std::vector<uint16_t> places_;
  std::vector<float> scores_;
};

}  // namespace freshdex::score
