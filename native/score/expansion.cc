#include "native/score/expansion.h"

#include <algorithm>

#include "native/score/budgeted_sort.h"
#include "native/score/spelling_walk.h"

namespace freshdex::score {
namespace {

// Each term once, with its largest weight; those without documents are left out, and of the others the most frequent
// are kept.
Expansion KeepMostFrequent(const Snapshot& snapshot, std::vector<ExpandedTerm> found, size_t limit,
                           SearchBudget* budget) {
  const bool is_sorted = SortWithin(budget, &found, [](const ExpandedTerm& a, const ExpandedTerm& b) {
    return a.term != b.term ? a.term < b.term : a.weight > b.weight;
  });
  if (!is_sorted) return {};
  const auto before = [&](const ExpandedTerm& a, const ExpandedTerm& b) {
    if (a.df != b.df) return a.df > b.df;
    return snapshot.terms().Text(a.term) < snapshot.terms().Text(b.term);
  };
  Expansion expansion;
  std::vector<ExpandedTerm>& best = expansion.terms;  // a heap with the last of them on top, until all are seen
  size_t with_documents = 0;
  for (size_t i = 0; i < found.size(); ++i) {
    if (i > 0 && found[i].term == found[i - 1].term) continue;
    if (!budget->Spend(kFrequencyCost)) return {};
    found[i].df = snapshot.DocumentFrequency(found[i].term);
    if (found[i].df == 0) continue;
    ++with_documents;
    if (best.size() == limit) {
      if (limit == 0 || !before(found[i], best.front())) continue;
      std::pop_heap(best.begin(), best.end(), before);
      best.pop_back();
    }
    best.push_back(found[i]);
    std::push_heap(best.begin(), best.end(), before);
  }
  std::sort_heap(best.begin(), best.end(), before);
  expansion.is_truncated = with_documents > limit;
  return expansion;
}

std::vector<ExpandedTerm> Near(const Snapshot& snapshot, FieldId field, std::string_view word, int edits,
                               bool is_prefix, SearchBudget* budget) {
  std::vector<ExpandedTerm> found;
  if (word.empty()) return found;
  const auto points = static_cast<double>(DecodeCodePoints(word).size());
  VisitNear(snapshot, field, word, edits, is_prefix, budget, [&](TermId term, std::string_view, int distance) {
    const double weight = 1 - distance / points;
    if (weight > 0) found.push_back({term, 0, weight});
  });
  return found;
}

}  // namespace

Expansion ExpandPrefix(const Snapshot& snapshot, FieldId field, std::string_view prefix, size_t limit,
                       SearchBudget* budget) {
  std::vector<ExpandedTerm> found;
  if (!prefix.empty()) {
    VisitPrefixed(snapshot, field, prefix, budget,
                  [&](TermId term, std::string_view, int) { found.push_back({term, 0, 1.0}); });
  }
  return KeepMostFrequent(snapshot, std::move(found), limit, budget);
}

Expansion ExpandNearPrefix(const Snapshot& snapshot, FieldId field, std::string_view word, int edits, size_t limit,
                           SearchBudget* budget) {
  if (edits == 0) return ExpandPrefix(snapshot, field, word, limit, budget);
  return KeepMostFrequent(snapshot, Near(snapshot, field, word, edits, true, budget), limit, budget);
}

Expansion ExpandFuzzy(const Snapshot& snapshot, FieldId field, std::string_view word, int edits, size_t limit,
                      SearchBudget* budget) {
  return KeepMostFrequent(snapshot, Near(snapshot, field, word, edits, false, budget), limit, budget);
}

}  // namespace freshdex::score
