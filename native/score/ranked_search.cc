#include "native/score/ranked_search.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "native/score/hit_groups.h"
#include "native/score/hit_order.h"
#include "native/score/hit_score.h"
#include "native/score/pinned_hits.h"
#include "native/score/plan.h"
#include "native/score/ranked_hits.h"

namespace freshdex::score {
namespace {

using index::DocId;

std::vector<DocId> NumbersOf(const std::vector<Hit>& hits) {
  std::vector<DocId> numbers;
  for (const Hit& hit : hits) numbers.push_back(hit.doc);
  return numbers;
}

class RankedSearch {
 public:
  RankedSearch(const index::Snapshot& snapshot, const Scoring& scoring, const QueryNode& query,
               const SearchRequest& request, SearchCache* cache)
      : snapshot_(snapshot),
        scoring_(scoring),
        query_(query),
        request_(request),
        columns_(*request.columns),
        cache_(*cache),
        pinned_(request.pinned.empty() ? PinnedHits()
                                       : ScorePinned(snapshot, scoring, query, columns_.boosts, request)),
        order_(snapshot, columns_.sort, NumbersOf(pinned_.hits), &cache->word_orders),
        hits_(order_, size_t{request.limit} + request.offset) {
    for (const FacetRequest& facet : columns_.facets) facets_.emplace_back(snapshot, facet);
    if (columns_.group) groups_.emplace(snapshot, *columns_.group, order_);
    if (columns_.after) after_ = order_.HitAt(*columns_.after);
  }

  SearchOutcome Run() {
    SearchBudget& budget = *request_.budget;
    Plan::Options options;
    options.passing = request_.passing;
    // Looking up what is visible for each document by itself takes longer.
    if (!options.passing && query_.kind == QueryKind::kAll) {
      visible_ = cache_.filters.Visible(snapshot_, &budget);
      options.passing = visible_.get();
    }
    Plan plan(snapshot_, scoring_, query_, options, &budget);
    outcome_.is_truncated = plan.is_truncated();
    Matcher& root = plan.root();
    for (; SkipToPassing(&root, request_.passing, &budget); root.Next()) {
      outcome_.is_partial = request_.max_scored != 0 && outcome_.total >= request_.max_scored;
      if (outcome_.is_partial || !budget.Spend(1)) break;
      const DocId doc = root.doc();
      CountMatch(doc);
      if (!pinned_.hits.empty() && order_.IsPinned(doc)) continue;
      Offer(doc, [&] { return ScoreOfHit(snapshot_, scoring_, columns_.boosts, root.Score(), doc); });
    }
    outcome_.is_partial |= budget.is_spent();
    outcome_.is_total_exact = !outcome_.is_partial;
    for (const Hit& hit : pinned_.hits) Offer(hit.doc, [&] { return hit.score; });
    for (const DocId stranger : pinned_.strangers) CountMatch(stranger);
    TakeHits();
    return std::move(outcome_);
  }

 private:
  void CountMatch(DocId doc) {
    ++outcome_.total;
    for (FacetCounter& facet : facets_) facet.Count(doc);
  }

  template <typename ScoreOf>
  void Offer(DocId doc, ScoreOf score_of) {
    Candidate<ScoreOf> candidate(order_, doc, score_of);
    // A group is behind the cursor, or before it, as a whole: by its first hit, which is known at the end.
    if (groups_) {
      groups_->Offer(&candidate);
    } else if (!after_ || candidate.Follows(*after_)) {
      hits_.Offer(&candidate);
    }
  }

  void TakeHits() {
    ColumnOutcome& columns = outcome_.columns.emplace();
    for (const FacetCounter& facet : facets_) columns.facets.push_back(facet.Take());
    if (groups_) {
      TakeGroups(&columns);
      return;
    }
    std::vector<RankedHit> hits = hits_.Take();
    for (size_t i = request_.offset; i < hits.size(); ++i) outcome_.hits.push_back({hits[i].doc, hits[i].score});
    if (!outcome_.hits.empty()) columns.last = order_.PointOf(hits.back());
  }

  void TakeGroups(ColumnOutcome* columns) {
    for (HitGroup& group : groups_->Take(after_ ? &*after_ : nullptr, request_.offset, request_.limit)) {
      for (const RankedHit& hit : group.hits) {
        outcome_.hits.push_back({hit.doc, hit.score});
        columns->group_of.push_back(static_cast<uint32_t>(columns->groups.size()));
      }
      columns->groups.push_back(std::move(group.value));
      columns->last = order_.PointOf(group.hits.front());
    }
  }

  const index::Snapshot& snapshot_;
  const Scoring& scoring_;
  const QueryNode& query_;
  const SearchRequest& request_;
  const ColumnRequest& columns_;
  SearchCache& cache_;
  SharedDocuments visible_;
  const PinnedHits pinned_;
  const HitOrder order_;
  RankedHits hits_;
  std::optional<HitGroups> groups_;
  std::optional<RankedHit> after_;
  std::vector<FacetCounter> facets_;
  SearchOutcome outcome_;
};

}  // namespace

SearchOutcome SearchRanked(const index::Snapshot& snapshot, const Scoring& scoring, const QueryNode& query,
                           const SearchRequest& request, SearchCache* cache) {
  return RankedSearch(snapshot, scoring, query, request, cache).Run();
}

}  // namespace freshdex::score
