#include "native/score/pruned_search.h"

#include <algorithm>
#include <memory>
#include <vector>

#include "native/score/all_search.h"
#include "native/score/any_search.h"

namespace freshdex::score {

namespace {

// So many blocks are searched in the order of their bounds. After them the limit is hardly raised any more.
constexpr size_t kBestFirst = 6;

class OneSearch {
 public:
  OneSearch(LeafBlocks* leaf, BestHits* best, size_t k, const DocumentSet* passing, SearchBudget* budget)
      : leaf_(*leaf), best_(*best), k_(k), passing_(passing), budget_(*budget) {}

  void Run() {
    leaf_.MakeBounds();
    std::vector<float> left(leaf_.count());
    for (size_t b = 0; b < left.size(); ++b) left[b] = leaf_.bound(b);
    for (size_t round = 0; round < kBestFirst + k_ / index::kBlockPostings && round < left.size(); ++round) {
      const size_t b = LargestPlace(left.data(), left.size());
      if (left[b] < best_.Limit() || !budget_.Spend(index::kBlockPostings)) return;
      Search(b);
      left[b] = -1;
    }
    for (size_t b = 0; b < left.size(); ++b) {
      if (left[b] < best_.Limit()) continue;
      if (!budget_.Spend(index::kBlockPostings)) return;
      Search(b);
    }
  }

 private:
  void Search(size_t b) {
    const double max_weight = best_.MaxWeight(leaf_.first_doc(b), leaf_.last_doc(b));
    if (leaf_.bound(b) < best_.Limit(max_weight)) return;
    if (passing_ && passing_->NextFrom(leaf_.first_doc(b)) > leaf_.last_doc(b)) return;
    const index::PostingBlocks::Block& block = leaf_.Load(b);
    const size_t room = block.count + kKeepSlack;
    if (docs_.size() < room) {
      docs_.resize(room);
      tfs_.resize(room);
      norms_.resize(room);
      scores_.resize(room);
    }
    if (!best_.has_limit()) {
      leaf_.Score(block.docs, block.tfs, block.count, &scores_);
      best_.RaiseFloor(scores_.data(), passing_ ? KeepPassingScores(block) : block.count);
    }
    size_t kept =
        leaf_.KeepAtLeast(block, b, best_.Limit(max_weight), docs_.data(), tfs_.data(), norms_.data(), scores_.data());
    if (passing_) kept = passing_->Keep(docs_.data(), kept, tfs_.data());
    for (size_t i = 0; i < kept; ++i) best_.OfferSingle(docs_[i], tfs_[i]);
  }

  size_t KeepPassingScores(const index::PostingBlocks::Block& block) {
    std::copy_n(block.docs, block.count, docs_.begin());
    return passing_->Keep(docs_.data(), block.count, scores_.data());
  }

  LeafBlocks& leaf_;
  BestHits& best_;
  const size_t k_;
  const DocumentSet* const passing_;
  SearchBudget& budget_;
  std::vector<index::DocId> docs_;
  std::vector<uint32_t> tfs_;
  std::vector<uint8_t> norms_;
  std::vector<float> scores_;
};

}  // namespace

void SearchOne(LeafBlocks* leaf, BestHits* best, size_t k, const DocumentSet* passing, SearchBudget* budget) {
  OneSearch(leaf, best, k, passing, budget).Run();
}

uint64_t CountOne(LeafBlocks* leaf, uint64_t up_to, const DocumentSet* passing, SearchBudget* budget) {
  if (!passing) return leaf->df();
  uint64_t count = 0;
  for (size_t b = 0; b < leaf->count() && count <= up_to && budget->Spend(index::kBlockPostings); ++b) {
    const index::PostingBlocks::Block& block = leaf->LoadDocs(b);
    for (size_t i = 0; i < block.count; ++i) count += passing->Has(block.docs[i]);
  }
  return count;
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
    leaves.push_back(std::make_unique<LeafBlocks>(snapshot, scoring, leaf, scorers));
  for (const auto& leaf : leaves) {
    if (leaf->df() > 0 && !(is_tame(leaf->weight()) && leaf->has_rough_scores())) return std::nullopt;
    if (!leaf->has_small_blocks()) return std::nullopt;
  }

  const size_t k = size_t{request.limit} + request.offset;
  // There are at least as many matches as hits.
  const uint64_t count_up_to = std::max<uint64_t>(request.count_up_to, k);
  BestHits best(snapshot, scoring, leaves, k);
  if (leaves.size() == 1) {
    SearchOne(leaves.front().get(), &best, k, request.passing, request.budget);
    outcome.total = CountOne(leaves.front().get(), count_up_to, request.passing, request.budget);
  } else if (needs_all) {
    AllSearch search(leaves, count_up_to, request.passing, &best, request.budget);
    search.Run();
    outcome.total = search.matches();
  } else {
    AnySearch search(leaves, snapshot.doc_limit, count_up_to, request.passing, &best, request.budget);
    search.Run();
    outcome.total = search.matches();
  }
  const bool is_counted_anyway = leaves.size() == 1 && !request.passing;
  outcome.is_total_exact = is_counted_anyway || outcome.total <= count_up_to;
  if (!outcome.is_total_exact) outcome.total = count_up_to;
  outcome.is_partial = request.budget->is_spent();
  outcome.is_total_exact = outcome.is_total_exact && !outcome.is_partial;
  outcome.hits = best.Take();
  return outcome;
}

}  // namespace freshdex::score
