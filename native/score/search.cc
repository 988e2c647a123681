#include "native/score/search.h"

#include <algorithm>
#include <charconv>

#include "native/score/plan.h"

namespace freshdex::score {
namespace {

std::string Number(double value) {
  char buffer[32];
  const auto end = std::to_chars(buffer, buffer + sizeof(buffer), value);
  return {buffer, end.ptr};
}

std::string Quoted(std::string_view text) {
  static constexpr char kHex[] = "0123456789abcdef";
  std::string out = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      out += "\\u00";
      out += kHex[c >> 4];
      out += kHex[c & 15];
    } else {
      out += c;
    }
  }
  return out + '"';
}

std::string Json(const LeafScore& leaf) {
  return "{\"kind\":\"" + std::string(leaf.kind) + "\",\"field\":" + std::to_string(leaf.field) +
         ",\"term\":" + Quoted(leaf.term) + ",\"tf\":" + Number(leaf.tf) + ",\"df\":" + std::to_string(leaf.df) +
         ",\"idf\":" + Number(leaf.idf) + ",\"length\":" + std::to_string(leaf.length) +
         ",\"averageLength\":" + Number(leaf.average_length) + ",\"boost\":" + Number(leaf.boost) +
         ",\"score\":" + Number(leaf.score) + "}";
}

std::string Json(double text, double weight, double score, const std::vector<LeafScore>& leaves) {
  std::string out =
      "{\"text\":" + Number(text) + ",\"weight\":" + Number(weight) + ",\"score\":" + Number(score) + ",\"terms\":[";
  for (size_t i = 0; i < leaves.size(); ++i) {
    if (i > 0) out += ',';
    out += Json(leaves[i]);
  }
  return out + "]}";
}

double Combine(const index::Snapshot& snapshot, const Scoring& scoring, double text, index::DocId doc) {
  const double weight = scoring.beta == 0 ? 0 : snapshot.weights[doc];
  return Capped(Capped(scoring.alpha * Capped(text)) + Capped(scoring.beta * weight));
}

}  // namespace

SearchOutcome Search(const index::Snapshot& snapshot, const Scoring& scoring, const QueryNode& query,
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
  outcome.hits = best.Take();
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
