// The best documents that have any of several leaves: block-max MAXSCORE in windows (pruned_search.h).
//
// In each window the leaves are seated by their bounds there. Those at the lower end, whose bounds together stay below
// the limit, cannot make a hit by themselves: they are only looked up, for the documents that the others propose.
#pragma once

#include <vector>

#include "native/score/best_hits.h"

namespace freshdex::score {

class AnySearch {
 public:
  AnySearch(const LeafList& leaves, index::DocId doc_limit, uint64_t count_up_to, const DocumentSet* passing,
            BestHits* best, SearchBudget* budget);

  void Run();
  // More than count_up_to: at least that many.
  uint64_t matches() const { return matches_; }

 private:
  static constexpr size_t kWindow = index::Snapshot::kDocsPerMaxWeight;
  // Documents that are proposed together while there is no limit.
  static constexpr size_t kChunk = 256;

  // A leaf in the present window.
  struct Seat {
    LeafBlocks* leaf;
    size_t number;     // of the leaf in the query
    size_t first = 0;  // its first block that may have documents of the window
    size_t block = 0;  // where it is looked up next
    float bound = 0;
    float up_to = 0;  // the sum of the bounds of the seats up to this one
  };

  float Limit() const { return best_.Limit(max_weight_); }
  float BelowNeeded() const { return needed_ == 0 ? 0 : seats_[needed_ - 1].up_to; }
  void SearchWindow();
  void ProposeByOne();
  void ProposeBySums();
  void AddToSums(const Seat& seat, float limit);
  // Sets the sums of the documents that do not pass to 0.
  void DropOthersFromSums();
  // Looks the proposed documents up in the seats below `end`, dropping those that cannot be hits, and offers the rest.
  void Complete(size_t end);
  void DropBelow(float limit);

  const index::DocId doc_limit_;
  const uint64_t count_up_to_;
  const DocumentSet* const passing_;  // null: all documents
  BestHits& best_;
  SearchBudget& budget_;
  std::vector<Seat> seats_;  // by bound in the window, smallest first
  bool is_counting_;
  uint64_t matches_;
  index::DocId begin_ = 0, end_ = 0;  // the window
  double max_weight_ = 0;
  size_t needed_ = 0;  // seats below this cannot make a hit by themselves
  Candidates candidates_;
  std::vector<uint16_t> places_;
  std::vector<float> sums_;
  std::vector<float> scores_;
};

}  // namespace freshdex::score
