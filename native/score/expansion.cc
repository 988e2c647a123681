#include "native/score/expansion.h"

#include <algorithm>
#include <string>

#include "native/score/budgeted_sort.h"
#include "native/score/levenshtein.h"

namespace freshdex::score {
namespace {

using index::FieldId;
using index::Snapshot;
using index::SortedTier;
using index::TermId;

// The term of a number in a sorted list; kNoTerm for a term that is not spelt as it is.
TermId TermOf(const Snapshot& snapshot, const index::TermDict&, uint32_t term) {
  return term < snapshot.term_count && snapshot.spellings().IsSpeltAsIs(term) ? term : index::kNoTerm;
}
TermId TermOf(const Snapshot&, const index::SpellingTable& spellings, uint32_t spelling) {
  return spellings.TermOf(spelling);
}

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

// Walks sorted tiers with the automaton. Neighbours share prefixes, so the states of the last word are kept by depth
// and reused; a dead prefix is left by a search for the first word behind it.
template <typename Dict>
class FuzzyWalk {
 public:
  FuzzyWalk(const Snapshot& snapshot, const Dict& dict, FieldId field, std::string_view word, int edits,
            SearchBudget* budget)
      : snapshot_(snapshot),
        dict_(dict),
        field_(field),
        points_(DecodeCodePoints(word)),
        edits_(edits),
        budget_(budget),
        automaton_(points_, edits) {
    const size_t first = BytesOf(word, 1), second = BytesOf(word, 2);
    leads_.push_back(std::string(word.substr(0, first)));
    if (points_.size() < 2 || points_[0] == points_[1]) return;
    leads_.push_back(std::string(word.substr(first, second - first)).append(leads_[0]));
  }

  void Run(const SortedTier& tier, std::vector<ExpandedTerm>* out) {
    for (const std::string& lead : leads_) RunFrom(lead, tier, out);
  }

 private:
  using Sorted = index::SortedWords<Dict>;

  // A step of the walk costs about as much as scoring this many documents.
  static constexpr uint64_t kStepCost = 8;

  void RunFrom(std::string_view lead, const SortedTier& tier, std::vector<ExpandedTerm>* out) {
    size_t at = Sorted::LowerBound(dict_, tier, field_, lead);
    const size_t end = Sorted::EndOfPrefix(dict_, tier, field_, lead, at);
    states_.assign(1, automaton_.Start());
    consumed_.clear();
    while (at < end && budget_->Spend(kStepCost)) {
      const std::string_view text = dict_.Text(tier[at]);
      const size_t dead_bytes = Consume(text);
      if (dead_bytes != 0) {
        at = Sorted::EndOfPrefix(dict_, tier, field_, text.substr(0, dead_bytes), at);
        continue;
      }
      Take(tier[at++], out);
    }
  }

  // Feeds the word; returns 0, or the bytes of its shortest dead prefix.
  size_t Consume(std::string_view text) {
    const std::vector<char32_t> points = DecodeCodePoints(text);
    size_t shared = 0;
    while (shared < points.size() && shared < consumed_.size() && points[shared] == consumed_[shared]) ++shared;
    consumed_.assign(points.begin(), points.end());
    states_.resize(shared + 1);
    for (size_t depth = shared; depth < points.size(); ++depth) {
      states_.push_back(automaton_.Step(states_[depth], points[depth]));
      if (!automaton_.IsDead(states_.back())) continue;
      states_.pop_back();
      consumed_.resize(depth);
      return BytesOf(text, depth + 1);
    }
    return 0;
  }

  static size_t BytesOf(std::string_view text, size_t points) {
    size_t bytes = 0;
    for (; points > 0 && bytes < text.size(); --points) {
      ++bytes;
      while (bytes < text.size() && (static_cast<uint8_t>(text[bytes]) & 0xC0) == 0x80) ++bytes;
    }
    return bytes;
  }

  void Take(uint32_t number, std::vector<ExpandedTerm>* out) {
    const int distance = automaton_.Distance(states_.back());
    const TermId term = TermOf(snapshot_, dict_, number);
    if (distance > edits_ || term == index::kNoTerm) return;
    const double weight = 1 - distance / static_cast<double>(points_.size());
    if (weight > 0) out->push_back({term, 0, weight});
  }

  const Snapshot& snapshot_;
  const Dict& dict_;
  const FieldId field_;
  const std::vector<char32_t> points_;
  const int edits_;
  SearchBudget* const budget_;
  const LevenshteinAutomaton automaton_;
  std::vector<std::string> leads_;                   // what a match may begin with; none is a prefix of another
  std::vector<LevenshteinAutomaton::State> states_;  // states_[i]: after i code points of consumed_
  std::vector<char32_t> consumed_;
};

template <typename Dict>
void FindPrefixed(const Snapshot& snapshot, const Dict& dict, const index::SortedWords<Dict>& sorted, FieldId field,
                  std::string_view prefix, SearchBudget* budget, std::vector<ExpandedTerm>* found) {
  for (const auto& tier : sorted.tiers()) {
    size_t at = index::SortedWords<Dict>::LowerBound(dict, *tier, field, prefix);
    const size_t end = index::SortedWords<Dict>::EndOfPrefix(dict, *tier, field, prefix, at);
    for (; at < end && budget->Spend(1); ++at) {
      const TermId term = TermOf(snapshot, dict, (*tier)[at]);
      if (term != index::kNoTerm) found->push_back({term, 0, 1.0});
    }
  }
}

template <typename Dict>
void FindNear(const Snapshot& snapshot, const Dict& dict, const index::SortedWords<Dict>& sorted, FieldId field,
              std::string_view word, int edits, SearchBudget* budget, std::vector<ExpandedTerm>* found) {
  FuzzyWalk<Dict> walk(snapshot, dict, field, word, edits, budget);
  for (const auto& tier : sorted.tiers()) walk.Run(*tier, found);
}

}  // namespace

Expansion ExpandPrefix(const Snapshot& snapshot, FieldId field, std::string_view prefix, size_t limit,
                       SearchBudget* budget) {
  std::vector<ExpandedTerm> found;
  if (!prefix.empty()) {
    FindPrefixed(snapshot, snapshot.terms(), snapshot.sorted_terms, field, prefix, budget, &found);
    FindPrefixed(snapshot, snapshot.spellings(), snapshot.sorted_spellings, field, prefix, budget, &found);
  }
  return KeepMostFrequent(snapshot, std::move(found), limit, budget);
}

Expansion ExpandFuzzy(const Snapshot& snapshot, FieldId field, std::string_view word, int edits, size_t limit,
                      SearchBudget* budget) {
  std::vector<ExpandedTerm> found;
  if (!word.empty()) {
    FindNear(snapshot, snapshot.terms(), snapshot.sorted_terms, field, word, edits, budget, &found);
    FindNear(snapshot, snapshot.spellings(), snapshot.sorted_spellings, field, word, edits, budget, &found);
  }
  return KeepMostFrequent(snapshot, std::move(found), limit, budget);
}

}  // namespace freshdex::score
