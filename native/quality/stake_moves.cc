#include "native/quality/stake_moves.h"

#include <algorithm>
#include <utility>

namespace freshdex::quality {
namespace {

// Sorting so many takes about as long as going through four times as many documents.
constexpr size_t kFewestListed = 1024;
constexpr size_t kDocsForEach = 4;

}  // namespace

StakeMoves::StakeMoves(size_t doc_limit)
    : doc_limit_(doc_limit), most_listed_(std::max(kFewestListed, doc_limit / kDocsForEach)) {}

void StakeMoves::Sum() {
  sums_.resize(doc_limit_, 0.0);
  for (const StakeMove& move : listed_) sums_[move.doc] += move.amount;
  listed_.clear();
}

std::vector<StakeMove> StakeMoves::Take() {
  std::vector<StakeMove> moves;
  if (!sums_.empty()) {
    Sum();
    for (size_t doc = 0; doc < sums_.size(); ++doc) {
      if (sums_[doc] != 0) moves.push_back({static_cast<index::DocId>(doc), sums_[doc]});
    }
    sums_.clear();
    return moves;
  }
  std::stable_sort(listed_.begin(), listed_.end(),
                   [](const StakeMove& a, const StakeMove& b) { return a.doc < b.doc; });
  for (size_t at = 0; at < listed_.size();) {
    StakeMove move{listed_[at].doc, 0.0};
    for (; at < listed_.size() && listed_[at].doc == move.doc; ++at) move.amount += listed_[at].amount;
    if (move.amount != 0) moves.push_back(move);
  }
  listed_.clear();
  return moves;
}

}  // namespace freshdex::quality
