#include "native/score/search.h"

#include <algorithm>

#include "native/score/flat_query.h"
#include "native/score/json_writer.h"
#include "native/score/phrase_search.h"
#include "native/score/plan.h"
#include "native/score/pruned_search.h"

namespace freshdex::score {
namespace {

// The text that the TypeScript side parses as the explanation of a hit.
std::string Json(double text, double weight, double score, const std::vector<LeafScore>& leaves) {
  JsonWriter json;
  json.BeginObject();
  json.Member("text", text);
  json.Member("weight", weight);
  json.Member("score", score);
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
  SearchBudget budget(request.is_out_of_time);
  Plan plan(snapshot, scoring, query, {}, &budget);
  SearchOutcome outcome;
  outcome.is_truncated = plan.is_truncated();
  TopK best(size_t{request.limit} + request.offset);
  Matcher& root = plan.root();
  for (; root.doc() != kNoDoc; root.Next()) {
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

// None for a query, or under limits, that only a look at every match can answer.
std::optional<SearchOutcome> SearchFast(const index::Snapshot& snapshot, const Scoring& scoring, const QueryNode& query,
                                        const SearchRequest& request, ScorerCache* scorers) {
  const bool is_limited = request.max_scored != 0 || request.is_out_of_time;
  if (is_limited || request.looks_at_all_matches || size_t{request.limit} + request.offset == 0) return std::nullopt;
  ScorerCache own;
  if (!scorers) scorers = &own;
  if (query.kind == QueryKind::kPhrase && query.tokens.size() > 1)
    return SearchPhrase(snapshot, scoring, query, request, scorers);
  const std::optional<FlatQuery> flat = Flatten(snapshot, scoring, query);
  if (!flat) return std::nullopt;
  return SearchByBounds(snapshot, scoring, *flat, request, scorers);
}

}  // namespace

double Combine(const index::Snapshot& snapshot, const Scoring& scoring, double text, index::DocId doc) {
  const double weight = scoring.beta == 0 ? 0 : snapshot.weights[doc];
  return Capped(Capped(scoring.alpha * Capped(text)) + Capped(scoring.beta * weight));
}

SearchOutcome Search(const index::Snapshot& snapshot, const Scoring& scoring, const QueryNode& query,
                     const SearchRequest& request, ScorerCache* scorers) {
  std::optional<SearchOutcome> by_bounds = SearchFast(snapshot, scoring, query, request, scorers);
  SearchOutcome outcome = by_bounds ? std::move(*by_bounds) : SearchAllMatches(snapshot, scoring, query, request);
  std::erase_if(outcome.hits, [&](const Hit& hit) {
    if (snapshot.IsVisible(hit.doc)) return false;
    snapshot.damage->Note(
        Status(Code::kCorrupt, "postings of document " + std::to_string(hit.doc) + ", which is not there"));
    return true;
  });
  outcome.hits.erase(outcome.hits.begin(),
                     outcome.hits.begin() + std::min<std::ptrdiff_t>(request.offset, std::ssize(outcome.hits)));
  return outcome;
}

std::vector<std::string> Explain(const index::Snapshot& snapshot, const Scoring& scoring, const QueryNode& query,
                                 const std::vector<Hit>& hits) {
  std::vector<size_t> order(hits.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) { return hits[a].doc < hits[b].doc; });

  Plan::Options options;
  options.is_for_explaining = true;
  SearchBudget budget({});
  Plan plan(snapshot, scoring, query, options, &budget);
  Matcher& root = plan.root();
  std::vector<std::string> out(hits.size());
  for (size_t i : order) {
    const index::DocId doc = hits[i].doc;
    if (root.doc() < doc) root.Advance(doc);
    std::vector<LeafScore> leaves;
    root.Explain(&leaves);
    out[i] = Json(Capped(root.Score()), snapshot.weights[doc], hits[i].score, leaves);
  }
  return out;
}

}  // namespace freshdex::score
