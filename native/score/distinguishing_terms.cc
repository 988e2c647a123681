#include "native/score/distinguishing_terms.h"

#include <algorithm>
#include <unordered_map>

#include "native/index/forward_record.h"
#include "native/index/term_codes.h"

namespace freshdex::score {

std::vector<DistinguishingTerm> DistinguishingTerms(const index::Snapshot& snapshot, const Scoring& scoring,
                                                    index::DocId doc, uint32_t field_mask, size_t limit,
                                                    SearchBudget* budget) {
  std::vector<DistinguishingTerm> terms;
  if (!snapshot.IsVisible(doc)) return terms;
  const auto record = snapshot.Record(doc);
  if (!record) return terms;
  const index::ForwardView view(record->forward);
  for (size_t field = 0; field < view.fields() && field < snapshot.fields.size(); ++field) {
    if ((field_mask >> field & 1) == 0) continue;
    std::unordered_map<index::TermId, uint32_t> frequencies;
    index::VisitSymbols(view.codes(field), [&](index::Symbol symbol) {
      if (!index::IsHole(symbol)) ++frequencies[index::TermOf(symbol)];
    });
    const FieldScorer scorer(scoring, snapshot.fields[field]);
    const uint8_t norm = snapshot.norms[field][doc];
    for (const auto& [term, count] : frequencies) {
      if (term >= snapshot.term_count) continue;
      if (!budget->Spend(kFrequencyCost)) break;
      const uint32_t df = snapshot.DocumentFrequency(term);
      if (df < 2) continue;
      const uint32_t tf = std::min<uint32_t>(count, UINT16_MAX);
      const double weight = Capped(scoring.field_boosts[field] * scorer.Idf(df));
      terms.push_back({term, tf, df, Capped(scorer.Score(weight, tf, norm))});
    }
  }
  const auto is_before = [&](const DistinguishingTerm& a, const DistinguishingTerm& b) {
    if (a.score != b.score) return a.score > b.score;
    const index::FieldId a_field = snapshot.terms().FieldOf(a.term), b_field = snapshot.terms().FieldOf(b.term);
    if (a_field != b_field) return a_field < b_field;
    return snapshot.terms().Text(a.term) < snapshot.terms().Text(b.term);
  };
  const size_t kept = std::min(limit, terms.size());
  std::partial_sort(terms.begin(), terms.begin() + static_cast<std::ptrdiff_t>(kept), terms.end(), is_before);
  terms.resize(kept);
  return terms;
}

}  // namespace freshdex::score
