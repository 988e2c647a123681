#include "native/score/pinned_hits.h"

#include <algorithm>
#include <unordered_set>

#include "native/score/hit_score.h"
#include "native/score/plan.h"

namespace freshdex::score {

PinnedHits ScorePinned(const index::Snapshot& snapshot, const Scoring& scoring, const QueryNode& query,
                       const std::vector<BoostFunction>& boosts, const SearchRequest& request) {
  PinnedHits found;
  std::unordered_set<index::DocId> seen;
  for (const index::DocId doc : request.pinned) {
    if (doc < snapshot.doc_limit && snapshot.IsVisible(doc) && seen.insert(doc).second) found.hits.push_back({doc, 0});
  }
  std::vector<size_t> order(found.hits.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) { return found.hits[a].doc < found.hits[b].doc; });
  Plan plan(snapshot, scoring, query, {}, request.budget);
  Matcher& root = plan.root();
  for (const size_t i : order) {
    const index::DocId doc = found.hits[i].doc;
    if (root.doc() < doc) root.Advance(doc);
    if (!request.budget->Spend(1)) break;
    const bool is_match = root.doc() == doc;
    if (!is_match) found.strangers.push_back(doc);
    found.hits[i].score = ScoreOfHit(snapshot, scoring, boosts, is_match ? root.Score() : 0, doc);
  }
  return found;
}

}  // namespace freshdex::score
