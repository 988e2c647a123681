#include "native/score/expansion.h"

#include <algorithm>

#include "native/score/levenshtein.h"

namespace freshdex::score {
namespace {

using index::FieldId;
using index::Snapshot;
using index::SortedTerms;
using index::SortedTier;
using index::TermId;

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

// Walks one sorted tier with the automaton. Neighbours share prefixes, so the states of the last term are kept by depth
// and reused; a dead prefix is left by a search for the first term behind it.
class FuzzyWalk {
 public:
  FuzzyWalk(const Snapshot& snapshot, FieldId field, std::string_view word, int edits)
      : snapshot_(snapshot),
        field_(field),
        word_(word),
        points_(DecodeCodePoints(word)),
        edits_(edits),
        automaton_(points_, edits) {}

  void Run(const SortedTier& tier, std::vector<ExpandedTerm>* out) {
    const size_t lead_bytes = LengthOfFirst();
    const std::string_view lead = word_.substr(0, lead_bytes);
    size_t at = SortedTerms::LowerBound(snapshot_.terms(), tier, field_, lead);
    const size_t end = SortedTerms::EndOfPrefix(snapshot_.terms(), tier, field_, lead, at);
    states_.assign(1, automaton_.Start());
    consumed_.clear();
    while (at < end) {
      const std::string_view text = snapshot_.terms().Text(tier[at]);
      const size_t dead_bytes = Consume(text);
      if (dead_bytes != 0) {
        at = SortedTerms::EndOfPrefix(snapshot_.terms(), tier, field_, text.substr(0, dead_bytes), at);
        continue;
      }
      Take(tier[at++], out);
    }
  }

 private:
  size_t LengthOfFirst() const {
    size_t length = 1;
    while (length < word_.size() && (static_cast<uint8_t>(word_[length]) & 0xC0) == 0x80) ++length;
    return length;
  }

  // Feeds the term; returns 0, or the bytes of its shortest dead prefix.
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

  void Take(TermId term, std::vector<ExpandedTerm>* out) {
    const int distance = automaton_.Distance(states_.back());
    if (distance > edits_ || term >= snapshot_.term_count) return;
    const double weight = 1 - distance / static_cast<double>(points_.size());
    if (weight <= 0) return;
    const uint32_t df = snapshot_.DocumentFrequency(term);
    if (df > 0) out->push_back({term, df, weight});
  }

  const Snapshot& snapshot_;
  const FieldId field_;
  const std::string_view word_;
  const std::vector<char32_t> points_;
  const int edits_;
  const LevenshteinAutomaton automaton_;
  std::vector<LevenshteinAutomaton::State> states_;  // states_[i]: after i code points of consumed_
  std::vector<char32_t> consumed_;
};

}  // namespace

Expansion ExpandPrefix(const Snapshot& snapshot, FieldId field, std::string_view prefix, size_t limit) {
  std::vector<ExpandedTerm> found;
  if (!prefix.empty()) {
    for (const auto& tier : snapshot.sorted_terms.tiers()) {
      size_t at = SortedTerms::LowerBound(snapshot.terms(), *tier, field, prefix);
      const size_t end = SortedTerms::EndOfPrefix(snapshot.terms(), *tier, field, prefix, at);
      for (; at < end; ++at) {
        const uint32_t df = snapshot.DocumentFrequency((*tier)[at]);
        if (df > 0) found.push_back({(*tier)[at], df, 1.0});
      }
    }
  }
  return KeepMostFrequent(snapshot, std::move(found), limit);
}

Expansion ExpandFuzzy(const Snapshot& snapshot, FieldId field, std::string_view word, int edits, size_t limit) {
  std::vector<ExpandedTerm> found;
  if (!word.empty()) {
    FuzzyWalk walk(snapshot, field, word, edits);
    for (const auto& tier : snapshot.sorted_terms.tiers()) walk.Run(*tier, &found);
  }
  return KeepMostFrequent(snapshot, std::move(found), limit);
}

}  // namespace freshdex::score
