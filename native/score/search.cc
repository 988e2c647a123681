#include "native/score/search.h"

#include <algorithm>
#include <memory>
#include <unordered_set>

#include "native/score/flat_query.h"
#include "native/score/hit_score.h"
#include "native/score/json_writer.h"
#include "native/score/phrase_search.h"
#include "native/score/pinned_hits.h"
#include "native/score/plan.h"
#include "native/score/pruned_search.h"
#include "native/score/ranked_search.h"

namespace freshdex::score {
namespace {

// The text that the TypeScript side parses as the explanation of a hit.
std::string Json(double text, const std::vector<double>& factors, double weight, double score,
                 const std::vector<LeafScore>& leaves) {
  JsonWriter json;
  json.BeginObject();
  json.Member("text", text);
  json.Member("weight", weight);
  json.Member("score", score);
  if (!factors.empty()) {
    json.Name("factors");
    json.BeginArray();
    for (const double factor : factors) json.Value(factor);
    json.EndArray();
  }
  json.Name("terms");
  json.BeginArray();
  for (const LeafScore& leaf : leaves) {
    json.BeginObject();
    json.Member("kind", std::string_view(leaf.kind));
    json.Member("field", leaf.field);
    json.Member("term", std::string_view(leaf.term));
    json.Member("tf", leaf.tf);
    json.Member("df", leaf.df);
    json.Member("idf", leaf.idf);
    json.Member("length", leaf.length);
    json.Member("averageLength", leaf.average_length);
    json.Member("boost", leaf.boost);
    json.Member("score", leaf.score);
    json.EndObject();
  }
  json.EndArray();
  json.EndObject();
  return json.Take();
}

SearchOutcome SearchAllMatches(const index::Snapshot& snapshot, const Scoring& scoring, const QueryNode& query,
                               const SearchRequest& request) {
  SearchBudget& budget = *request.budget;
  Plan::Options options;
  options.passing = request.passing;
  Plan plan(snapshot, scoring, query, options, &budget);
  SearchOutcome outcome;
  outcome.is_truncated = plan.is_truncated();
  TopK best(size_t{request.limit} + request.offset);
  Matcher& root = plan.root();
  for (; SkipToPassing(&root, request.passing, &budget); root.Next()) {
    outcome.is_partial = request.max_scored != 0 && outcome.total >= request.max_scored;
    if (outcome.is_partial || !budget.Spend(1)) break;
    ++outcome.total;
    best.Offer({root.doc(), Combine(snapshot, scoring, root.Score(), root.doc())});
  }
  outcome.is_partial |= budget.is_spent();
  outcome.is_total_exact = !outcome.is_partial;
  outcome.hits = best.Take();
  return outcome;
}

// Where all documents score the same, the first of them are the best.
SearchOutcome SearchAlike(const index::Snapshot& snapshot, const Scoring& scoring, double text,
                          const SearchRequest& request, SearchCache* cache) {
  SearchOutcome outcome;
  const SharedDocuments visible = request.passing ? nullptr : cache->filters.Visible(snapshot, request.budget);
  if (!request.passing && !visible) {
    outcome.is_partial = true;
    outcome.is_total_exact = false;
    return outcome;
  }
  const DocumentSet& documents = request.passing ? *request.passing : *visible;
  outcome.total = documents.Count();
  const size_t k = size_t{request.limit} + request.offset;
  for (index::DocId doc = documents.NextFrom(0); doc != index::kNoDoc && outcome.hits.size() < k;
       doc = documents.NextFrom(doc + 1))
    outcome.hits.push_back({doc, Combine(snapshot, scoring, text, doc)});
  return outcome;
}

// None for a query, or under limits, that only a look at every match can answer.
std::optional<SearchOutcome> SearchFast(const index::Snapshot& snapshot, const Scoring& scoring, const QueryNode& query,
                                        const SearchRequest& request, SearchCache* cache) {
  if (request.max_scored != 0 || request.looks_at_all_matches || size_t{request.limit} + request.offset == 0)
    return std::nullopt;
  if (query.kind == QueryKind::kAll && scoring.beta == 0)
    return SearchAlike(snapshot, scoring, query.boost, request, cache);
  if (query.kind == QueryKind::kPhrase && query.tokens.size() > 1)
    return SearchPhrase(snapshot, scoring, query, request, &cache->scorers);
  const std::optional<FlatQuery> flat = Flatten(snapshot, scoring, query);
  if (!flat) return std::nullopt;
  return SearchByBounds(snapshot, scoring, *flat, request, &cache->scorers);
}

SearchOutcome SearchTier(const index::Snapshot& snapshot, const Scoring& scoring, const QueryNode& query,
                         const SearchRequest& request, SearchCache* cache) {
  std::optional<SearchOutcome> by_bounds = SearchFast(snapshot, scoring, query, request, cache);
  return by_bounds ? std::move(*by_bounds) : SearchAllMatches(snapshot, scoring, query, request);
}

// The documents that match the tier and none before it.
QueryNode OnlyOfTier(const QueryNode& tiers, size_t tier) {
  QueryNode node;
  node.kind = QueryKind::kAnd;
  node.children.push_back(tiers.children[tier]);
  for (size_t before = 0; before < tier; ++before) {
    QueryNode& without = node.children.emplace_back();
    without.kind = QueryKind::kNot;
    without.children.push_back(tiers.children[before]);
  }
  return node;
}

// Tier by tier, each without the documents of those before it. REQUIRES: where a tier vanishes, all before it do.
SearchOutcome SearchTiers(const index::Snapshot& snapshot, const Scoring& scoring, const QueryNode& query,
                          const SearchRequest& request, SearchCache* cache) {
  SearchOutcome outcome;
  const size_t shown = size_t{request.limit} + request.offset;
  for (size_t tier = 0; tier < query.children.size(); ++tier) {
    SearchRequest rest = request;
    rest.offset = 0;
    rest.limit = static_cast<uint32_t>(std::min<size_t>(shown - outcome.hits.size(), UINT32_MAX));
    const bool is_counted = outcome.total >= request.count_up_to;
    rest.count_up_to = is_counted ? 0 : request.count_up_to - outcome.total;
    const bool is_spent = request.max_scored != 0 && outcome.total >= request.max_scored;
    if (request.max_scored != 0) rest.max_scored = is_spent ? 1 : request.max_scored - outcome.total;
    const SearchOutcome found = tier == 0 ? SearchTier(snapshot, scoring, query.children[0], rest, cache)
                                          : SearchTier(snapshot, scoring, OnlyOfTier(query, tier), rest, cache);
    outcome.is_truncated |= found.is_truncated;
    outcome.is_partial |= found.is_partial || (is_spent && found.total > 0);
    outcome.is_total_exact = outcome.is_total_exact && found.is_total_exact && !outcome.is_partial;
    if (!is_spent) {
      outcome.total += found.total;
      outcome.hits.insert(outcome.hits.end(), found.hits.begin(), found.hits.end());
    }
    // Of further tiers nothing would be shown or counted.
    if (outcome.is_partial || (!outcome.is_total_exact && outcome.hits.size() >= shown)) break;
  }
  return outcome;
}

SearchOutcome SearchUnpinned(const index::Snapshot& snapshot, const Scoring& scoring, const QueryNode& query,
                             const SearchRequest& request, SearchCache* cache) {
  if (query.kind == QueryKind::kTiers) return SearchTiers(snapshot, scoring, query, request, cache);
  return SearchTier(snapshot, scoring, query, request, cache);
}

SearchOutcome SearchPinned(const index::Snapshot& snapshot, const Scoring& scoring, const QueryNode& query,
                           const SearchRequest& request, SearchCache* cache) {
  const PinnedHits pinned = ScorePinned(snapshot, scoring, query, {}, request);
  SearchRequest others = request;
  others.offset = 0;
  const uint64_t shown = uint64_t{request.limit} + request.offset;
  others.limit = static_cast<uint32_t>(std::min<uint64_t>(shown + pinned.hits.size(), UINT32_MAX));
  SearchOutcome outcome = SearchUnpinned(snapshot, scoring, query, others, cache);
  std::unordered_set<index::DocId> numbers;
  for (const Hit& hit : pinned.hits) numbers.insert(hit.doc);
  std::erase_if(outcome.hits, [&](const Hit& hit) { return numbers.contains(hit.doc); });
  outcome.hits.insert(outcome.hits.begin(), pinned.hits.begin(), pinned.hits.end());
  if (outcome.hits.size() > shown) outcome.hits.resize(shown);
  outcome.total += pinned.strangers.size();
  return outcome;
}

SearchOutcome SearchByScore(const index::Snapshot& snapshot, const Scoring& scoring, const QueryNode& query,
                            const SearchRequest& request, SearchCache* cache) {
  SearchOutcome outcome = request.pinned.empty() ? SearchUnpinned(snapshot, scoring, query, request, cache)
                                                 : SearchPinned(snapshot, scoring, query, request, cache);
  outcome.hits.erase(outcome.hits.begin(),
                     outcome.hits.begin() + std::min<std::ptrdiff_t>(request.offset, std::ssize(outcome.hits)));
  return outcome;
}

SearchOutcome SearchColumns(const index::Snapshot& snapshot, const Scoring& scoring, const QueryNode& query,
                            const SearchRequest& request, SearchCache* cache) {
  const ColumnRequest& columns = *request.columns;
  SearchRequest filtered = request;
  SharedDocuments passing;
  if (!columns.filter_wire.empty()) {
    SearchBudget& budget = *request.budget;
    passing = cache->filters.Passing(snapshot, columns.filter_wire, columns.filter, &budget);
    // Out of time: nothing was looked at.
    if (!passing) passing = std::make_shared<const DocumentSet>(0);
    filtered.passing = passing.get();
    std::erase_if(filtered.pinned, [&](index::DocId doc) { return !passing->Has(doc); });
    SearchOutcome outcome = columns.needs_all_matches() ? SearchRanked(snapshot, scoring, query, filtered, cache)
                                                        : SearchByScore(snapshot, scoring, query, filtered, cache);
    outcome.is_partial = outcome.is_partial || budget.is_spent();
    outcome.is_total_exact = outcome.is_total_exact && !budget.is_spent();
    return outcome;
  }
  return columns.needs_all_matches() ? SearchRanked(snapshot, scoring, query, filtered, cache)
                                     : SearchByScore(snapshot, scoring, query, filtered, cache);
}

}  // namespace

double Combine(const index::Snapshot& snapshot, const Scoring& scoring, double text, index::DocId doc) {
  const double weight = scoring.beta == 0 ? 0 : snapshot.weights[doc];
  return Capped(Capped(scoring.alpha * Capped(text)) + Capped(scoring.beta * weight));
}

SearchOutcome Search(const index::Snapshot& snapshot, const Scoring& scoring, const QueryNode& query,
                     const SearchRequest& asked, SearchCache* cache) {
  SearchRequest request = asked;
  SearchBudget unlimited({});
  if (!request.budget) request.budget = &unlimited;
  SearchCache own;
  if (!cache) cache = &own;
  SearchOutcome outcome = request.columns ? SearchColumns(snapshot, scoring, query, request, cache)
                                          : SearchByScore(snapshot, scoring, query, request, cache);
  const size_t damaged = std::erase_if(outcome.hits, [&](const Hit& hit) {
    if (snapshot.IsVisible(hit.doc)) return false;
    snapshot.damage->Note(
        Status(Code::kCorrupt, "postings of document " + std::to_string(hit.doc) + ", which is not there"));
    return true;
  });
  if (damaged > 0) outcome.columns.reset();
  return outcome;
}

std::vector<std::string> Explain(const index::Snapshot& snapshot, const Scoring& scoring, const QueryNode& query,
                                 const std::vector<Hit>& hits, SearchBudget* budget,
                                 const std::vector<BoostFunction>& boosts) {
  std::vector<size_t> order(hits.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) { return hits[a].doc < hits[b].doc; });

  Plan::Options options;
  options.is_for_explaining = true;
  Plan plan(snapshot, scoring, query, options, budget);
  Matcher& root = plan.root();
  std::vector<std::string> out(hits.size());
  for (size_t i : order) {
    const index::DocId doc = hits[i].doc;
    if (root.doc() < doc) root.Advance(doc);
    std::vector<LeafScore> leaves;
    if (!budget->Spend(1)) break;
    // A pinned document need not match.
    const bool is_match = root.doc() == doc;
    if (is_match) root.Explain(&leaves);
    std::vector<double> factors;
    for (const BoostFunction& boost : boosts) factors.push_back(BoostFactor(snapshot, boost, doc));
    out[i] = Json(is_match ? Capped(root.Score()) : 0, factors, snapshot.weights[doc], hits[i].score, leaves);
  }
  return out;
}

}  // namespace freshdex::score
