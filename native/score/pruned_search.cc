#include "native/score/pruned_search.h"

#include <algorithm>
#include <bit>
#include <memory>
#include <vector>

#include "native/score/all_search.h"
#include "native/score/any_search.h"

namespace freshdex::score {

// Blocks in the order of their bounds: after a few of them no other can hold a better document.
void SearchOne(LeafBlocks* leaf, BestHits* best) {
  leaf->MakeBounds();
  // Bound and number of a block in one integer: the bits of floats that are not negative ascend as the floats do.
  std::vector<uint64_t> heap(leaf->count());
  for (size_t b = 0; b < heap.size(); ++b) heap[b] = uint64_t{std::bit_cast<uint32_t>(leaf->bound(b))} << 32 | b;
  std::make_heap(heap.begin(), heap.end());
  std::vector<float> scores;
  std::vector<uint16_t> places;
  for (; !heap.empty(); heap.pop_back()) {
    std::pop_heap(heap.begin(), heap.end());
    const float bound = std::bit_cast<float>(static_cast<uint32_t>(heap.back() >> 32));
    const size_t b = heap.back() & 0xFFFFFFFF;
    if (bound < best->Limit()) return;
    const double max_weight = best->MaxWeight(leaf->first_doc(b), leaf->last_doc(b));
    if (bound < best->Limit(max_weight)) continue;
    const index::PostingBlocks::Block& block = leaf->Load(b);
    leaf->Score(block.docs, block.tfs, block.count, &scores);
    best->RaiseFloor(scores.data(), block.count);
    if (places.size() < block.count) places.resize(block.count);
    const size_t kept = AtLeast(scores.data(), block.count, best->Limit(max_weight), places.data());
    for (size_t i = 0; i < kept; ++i) best->OfferSingle(block.docs[places[i]], block.tfs[places[i]]);
  }
}

std::optional<SearchOutcome> SearchByBounds(const index::Snapshot& snapshot, const Scoring& scoring,
                                            const FlatQuery& query, const SearchRequest& request,
                                            ScorerCache* scorers) {
  SearchOutcome outcome;
  if (!query.has_answer || query.leaves.empty()) return outcome;
  const bool needs_all = query.needs_all && query.tokens > 1;
  // Fields of one token are any of several, so that all of several tokens is not all leaves.
  if (needs_all && query.leaves.size() != query.tokens) return std::nullopt;
  const auto is_tame = [](double factor) { return factor >= kMinWeight && factor <= kMaxWeight; };
  if (!is_tame(scoring.alpha)) return std::nullopt;
  LeafList leaves;
  for (const FlatLeaf& leaf : query.leaves)
    leaves.push_back(std::make_unique<LeafBlocks>(snapshot, scorers->Get(scoring, snapshot, leaf.field), leaf));
  for (const auto& leaf : leaves) {
    if (leaf->df() > 0 && !(is_tame(leaf->weight()) && leaf->has_rough_scores())) return std::nullopt;
  }

  const size_t k = size_t{request.limit} + request.offset;
  // There are at least as many matches as hits.
  const uint64_t count_up_to = std::max<uint64_t>(request.count_up_to, k);
  BestHits best(snapshot, scoring, leaves, k);
  if (leaves.size() == 1) {
    SearchOne(leaves.front().get(), &best);
    outcome.total = leaves.front()->df();
  } else if (needs_all) {
    AllSearch search(leaves, count_up_to, &best);
    search.Run();
    outcome.total = search.matches();
  } else {
    AnySearch search(leaves, snapshot.doc_limit, count_up_to, &best);
    search.Run();
    outcome.total = search.matches();
  }
  outcome.is_total_exact = leaves.size() == 1 || outcome.total <= count_up_to;
  if (!outcome.is_total_exact) outcome.total = count_up_to;
  outcome.hits = best.Take();
  return outcome;
}

}  // namespace freshdex::score
