#include "native/score/expansion.h"

#include <algorithm>

#include "native/score/spelling_walk.h"

namespace freshdex::score {
namespace {

Expansion KeepMostFrequent(const Snapshot& snapshot, std::vector<ExpandedTerm> terms, size_t limit) {
  auto before = [&](const ExpandedTerm& a, const ExpandedTerm& b) {
    if (a.df != b.df) return a.df > b.df;
    return snapshot.terms().Text(a.term) < snapshot.terms().Text(b.term);
  };
  Expansion expansion;
  expansion.is_truncated = terms.size() > limit;
  if (expansion.is_truncated) {
    std::nth_element(terms.begin(), terms.begin() + static_cast<std::ptrdiff_t>(limit), terms.end(), before);
    terms.resize(limit);
  }
  std::sort(terms.begin(), terms.end(), before);
  expansion.terms = std::move(terms);
  return expansion;
}

// Each term once, with its largest weight; those without documents are left out.
std::vector<ExpandedTerm> CountOnce(const Snapshot& snapshot, std::vector<ExpandedTerm> found) {
  std::sort(found.begin(), found.end(), [](const ExpandedTerm& a, const ExpandedTerm& b) {
    return a.term != b.term ? a.term < b.term : a.weight > b.weight;
  });
  const auto is_same = [](const ExpandedTerm& a, const ExpandedTerm& b) { return a.term == b.term; };
  found.erase(std::unique(found.begin(), found.end(), is_same), found.end());
  for (ExpandedTerm& term : found) term.df = snapshot.DocumentFrequency(term.term);
  std::erase_if(found, [](const ExpandedTerm& term) { return term.df == 0; });
  return found;
}

std::vector<ExpandedTerm> Near(const Snapshot& snapshot, FieldId field, std::string_view word, int edits,
                               bool is_prefix) {
  std::vector<ExpandedTerm> found;
  if (word.empty()) return found;
  const auto points = static_cast<double>(DecodeCodePoints(word).size());
  VisitNear(snapshot, field, word, edits, is_prefix, [&](TermId term, std::string_view, int distance) {
    const double weight = 1 - distance / points;
    if (weight > 0) found.push_back({term, 0, weight});
  });
  return found;
}

}  // namespace

Expansion ExpandPrefix(const Snapshot& snapshot, FieldId field, std::string_view prefix, size_t limit) {
  std::vector<ExpandedTerm> found;
  if (!prefix.empty()) {
    VisitPrefixed(snapshot, field, prefix,
                  [&](TermId term, std::string_view, int) { found.push_back({term, 0, 1.0}); });
  }
  return KeepMostFrequent(snapshot, CountOnce(snapshot, std::move(found)), limit);
}

Expansion ExpandNearPrefix(const Snapshot& snapshot, FieldId field, std::string_view word, int edits, size_t limit) {
  if (edits == 0) return ExpandPrefix(snapshot, field, word, limit);
  return KeepMostFrequent(snapshot, CountOnce(snapshot, Near(snapshot, field, word, edits, true)), limit);
}

Expansion ExpandFuzzy(const Snapshot& snapshot, FieldId field, std::string_view word, int edits, size_t limit) {
  return KeepMostFrequent(snapshot, CountOnce(snapshot, Near(snapshot, field, word, edits, false)), limit);
}

}  // namespace freshdex::score
