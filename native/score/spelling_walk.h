// Walks over the spellings of a field: the words of documents as they are written, by their beginning or by edits.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "native/index/snapshot.h"
#include "native/score/levenshtein.h"

namespace freshdex::score {

using index::FieldId;
using index::Snapshot;
using index::SortedTier;
using index::TermId;

// The term of a number in a sorted list; kNoTerm for a term that is not spelt as it is.
inline TermId TermOf(const Snapshot& snapshot, const index::TermDict&, uint32_t term) {
  return term < snapshot.term_count && snapshot.spellings().IsSpeltAsIs(term) ? term : index::kNoTerm;
}
inline TermId TermOf(const Snapshot&, const index::SpellingTable& spellings, uint32_t spelling) {
  return spellings.TermOf(spelling);
}

// Walks sorted tiers with the automaton. Neighbours share prefixes, so the states of the last word are kept by depth
// and reused; a dead prefix is left by a search for the first word behind it.
template <typename Dict>
class FuzzyWalk {
 public:
  // `is_prefix`: some beginning of a word of the tiers is to be near, and not all of it.
  FuzzyWalk(const Snapshot& snapshot, const Dict& dict, FieldId field, std::string_view word, int edits, bool is_prefix)
      : is_prefix_(is_prefix),
        snapshot_(snapshot),
        dict_(dict),
        field_(field),
        points_(DecodeCodePoints(word)),
        edits_(edits),
        automaton_(points_, edits) {
    const size_t first = BytesOf(word, 1), second = BytesOf(word, 2);
    leads_.push_back(std::string(word.substr(0, first)));
    if (points_.size() < 2 || points_[0] == points_[1]) return;
    leads_.push_back(std::string(word.substr(first, second - first)).append(leads_[0]));
  }

  template <typename Visit>
  void Run(const SortedTier& tier, Visit& visit) {
    for (const std::string& lead : leads_) RunFrom(lead, tier, visit);
  }

 private:
  using Sorted = index::SortedWords<Dict>;

  template <typename Visit>
  void RunFrom(std::string_view lead, const SortedTier& tier, Visit& visit) {
    size_t at = Sorted::LowerBound(dict_, tier, field_, lead);
    const size_t end = Sorted::EndOfPrefix(dict_, tier, field_, lead, at);
    states_.assign(1, automaton_.Start());
    nearest_.assign(1, automaton_.Distance(states_[0]));
    consumed_.clear();
    while (at < end) {
      const std::string_view text = dict_.Text(tier[at]);
      const size_t dead_bytes = Consume(text);
      if (dead_bytes != 0) {
        at = Sorted::EndOfPrefix(dict_, tier, field_, text.substr(0, dead_bytes), at);
        continue;
      }
      Take(tier[at++], visit);
    }
  }

  // Feeds the word; returns 0, or the bytes of its shortest dead prefix.
  size_t Consume(std::string_view text) {
    const std::vector<char32_t> points = DecodeCodePoints(text);
    size_t shared = 0;
    while (shared < points.size() && shared < consumed_.size() && points[shared] == consumed_[shared]) ++shared;
    consumed_.assign(points.begin(), points.end());
    states_.resize(shared + 1);
    nearest_.resize(shared + 1);
    for (size_t depth = shared; depth < points.size(); ++depth) {
      states_.push_back(automaton_.Step(states_[depth], points[depth]));
      if (!automaton_.IsDead(states_.back())) {
        nearest_.push_back(std::min(nearest_.back(), automaton_.Distance(states_.back())));
        continue;
      }
      states_.pop_back();
      consumed_.resize(depth);
      // What follows cannot come nearer, and need not.
      if (is_prefix_ && nearest_.back() <= edits_) return 0;
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

  template <typename Visit>
  void Take(uint32_t number, Visit& visit) {
    const int distance = is_prefix_ ? nearest_.back() : automaton_.Distance(states_.back());
    const TermId term = TermOf(snapshot_, dict_, number);
    if (distance > edits_ || term == index::kNoTerm) return;
    visit(term, dict_.Text(number), distance);
  }

  const bool is_prefix_;
  const Snapshot& snapshot_;
  const Dict& dict_;
  const FieldId field_;
  const std::vector<char32_t> points_;
  const int edits_;
  const LevenshteinAutomaton automaton_;
  std::vector<std::string> leads_;                   // what a match may begin with; none is a prefix of another
  std::vector<LevenshteinAutomaton::State> states_;  // states_[i]: after i code points of consumed_
  std::vector<int> nearest_;  // nearest_[i]: the fewest edits of a beginning of up to i code points
  std::vector<char32_t> consumed_;
};

template <typename Dict, typename Visit>
void VisitPrefixedIn(const Snapshot& snapshot, const Dict& dict, const index::SortedWords<Dict>& sorted, FieldId field,
                     std::string_view prefix, Visit& visit) {
  for (const auto& tier : sorted.tiers()) {
    size_t at = index::SortedWords<Dict>::LowerBound(dict, *tier, field, prefix);
    const size_t end = index::SortedWords<Dict>::EndOfPrefix(dict, *tier, field, prefix, at);
    for (; at < end; ++at) {
      const TermId term = TermOf(snapshot, dict, (*tier)[at]);
      if (term != index::kNoTerm) visit(term, dict.Text((*tier)[at]), 0);
    }
  }
}

template <typename Dict, typename Visit>
void VisitNearIn(const Snapshot& snapshot, const Dict& dict, const index::SortedWords<Dict>& sorted, FieldId field,
                 std::string_view word, int edits, bool is_prefix, Visit& visit) {
  FuzzyWalk<Dict> walk(snapshot, dict, field, word, edits, is_prefix);
  for (const auto& tier : sorted.tiers()) walk.Run(*tier, visit);
}

// visit(term, spelling, edits) for every spelling that begins with the prefix, edits being 0. Terms need not be in any
// document of the snapshot. REQUIRES: the prefix is not empty.
template <typename Visit>
void VisitPrefixed(const Snapshot& snapshot, FieldId field, std::string_view prefix, Visit visit) {
  VisitPrefixedIn(snapshot, snapshot.terms(), snapshot.sorted_terms, field, prefix, visit);
  VisitPrefixedIn(snapshot, snapshot.spellings(), snapshot.sorted_spellings, field, prefix, visit);
}

// The same for every spelling that is at most `edits` away from the word, or with `is_prefix` some beginning of which
// is; of several beginnings the nearest counts. REQUIRES: the word is not empty, 1 <= edits <= 2.
template <typename Visit>
void VisitNear(const Snapshot& snapshot, FieldId field, std::string_view word, int edits, bool is_prefix, Visit visit) {
  VisitNearIn(snapshot, snapshot.terms(), snapshot.sorted_terms, field, word, edits, is_prefix, visit);
  VisitNearIn(snapshot, snapshot.spellings(), snapshot.sorted_spellings, field, word, edits, is_prefix, visit);
}

}  // namespace freshdex::score
