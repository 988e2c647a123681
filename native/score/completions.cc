#include "native/score/completions.h"

#include <algorithm>
#include <functional>
#include <span>

#include "native/base/bytes.h"
#include "native/score/spelling_walk.h"

namespace freshdex::score {
namespace {

struct Spelt {
  TermId term;
  int edits;
  std::string_view text;
};

bool IsNearer(const Spelt& a, const Spelt& b) {
  if (a.edits != b.edits) return a.edits < b.edits;
  return a.text.size() != b.text.size() ? a.text.size() < b.text.size() : a.text < b.text;
}

// The best spelling of each term of a field, by term.
std::vector<Spelt> SpeltIn(const Snapshot& snapshot, FieldId field, std::string_view word, int edits, bool is_whole,
                           SearchBudget* budget) {
  std::vector<Spelt> found;
  const auto visit = [&](TermId term, std::string_view text, int distance) { found.push_back({term, distance, text}); };
  if (edits == 0) {
    VisitPrefixed(snapshot, field, word, budget, visit);
  } else {
    VisitNear(snapshot, field, word, edits, !is_whole, budget, visit);
  }
  std::sort(found.begin(), found.end(),
            [](const Spelt& a, const Spelt& b) { return a.term != b.term ? a.term < b.term : IsNearer(a, b); });
  const auto is_same = [](const Spelt& a, const Spelt& b) { return a.term == b.term; };
  found.erase(std::unique(found.begin(), found.end(), is_same), found.end());
  return found;
}

bool IsBefore(const Completion& a, const Completion& b) {
  if (a.edits != b.edits) return a.edits < b.edits;
  return a.df != b.df ? a.df > b.df : a.text < b.text;
}

// How many frequencies are looked up between two looks at the budget.
constexpr size_t kFrequencyPortion = 1024;

// What a field has of the words that are wanted, by term, and in how many documents each is.
struct FieldWords {
  FieldId field;
  std::vector<Spelt> spelt;
  std::vector<uint32_t> frequencies;
};

// Ends with the terms whose frequencies the budget was enough for.
FieldWords WordsOf(const Snapshot& snapshot, FieldId field, std::string_view word, int edits, bool is_whole,
                   SearchBudget* budget) {
  FieldWords words{field, SpeltIn(snapshot, field, word, edits, is_whole, budget), {}};
  std::vector<TermId> terms;
  for (const Spelt& spelt : words.spelt) terms.push_back(spelt.term);
  words.frequencies.reserve(terms.size());
  while (words.frequencies.size() < terms.size()) {
    const size_t begin = words.frequencies.size();
    const size_t count = std::min(kFrequencyPortion, terms.size() - begin);
    if (begin > 0 && !budget->Spend(count * kFrequencyCost)) break;
    const auto found = snapshot.DocumentFrequencies(std::span(terms).subspan(begin, count));
    words.frequencies.insert(words.frequencies.end(), found.begin(), found.end());
  }
  words.spelt.resize(words.frequencies.size());
  return words;
}

// The fewest documents that a word of a field has to be in to be among the `limit` best ones, all being as near.
uint32_t LeastFrequency(std::vector<uint32_t> frequencies, size_t limit) {
  if (limit == 0 || frequencies.size() <= limit) return 1;
  const auto last = frequencies.begin() + static_cast<std::ptrdiff_t>(limit - 1);
  std::nth_element(frequencies.begin(), last, frequencies.end(), std::greater<>());
  return std::max<uint32_t>(*last, 1);
}

// Adds what a field says of a token to what is known of it.
void Merge(const FieldWords& words, size_t at, std::pair<Spelt, uint32_t>* known) {
  known->second = std::max(known->second, words.frequencies[at]);
  if (IsNearer(words.spelt[at], known->first)) known->first = words.spelt[at];
}

}  // namespace

std::vector<Completion> CompleteWord(const Snapshot& snapshot, uint32_t field_mask, std::string_view word, int edits,
                                     bool is_whole, size_t limit, SearchBudget* budget) {
  if (word.empty()) return {};
  std::vector<FieldWords> fields;
  for (size_t f = 0; f < snapshot.fields.size(); ++f) {
    if ((field_mask >> f & 1) == 0) continue;
    fields.push_back(WordsOf(snapshot, static_cast<FieldId>(f), word, edits, is_whole, budget));
  }
  // By token, since fields have terms of their own. A short beginning has very many words: only those are looked at
  // that may be among the best of all, which are among the best of some field.
  std::unordered_map<std::string_view, std::pair<Spelt, uint32_t>> best;
  for (const FieldWords& words : fields) {
    const uint32_t least = edits == 0 ? LeastFrequency(words.frequencies, limit) : 1;
    for (size_t i = 0; i < words.spelt.size(); ++i) {
      if (words.frequencies[i] < least) continue;
      const auto [at, is_new] =
          best.try_emplace(snapshot.terms().Text(words.spelt[i].term), std::pair(words.spelt[i], words.frequencies[i]));
      if (!is_new) Merge(words, i, &at->second);
    }
  }
  // A field in which the word is not among the best may still have a nearer spelling of it.
  for (auto& [token, known] : best) {
    for (const FieldWords& words : fields) {
      const TermId term = snapshot.FindTerm(words.field, token);
      const auto at = std::lower_bound(words.spelt.begin(), words.spelt.end(), term,
                                       [](const Spelt& spelt, TermId wanted) { return spelt.term < wanted; });
      if (at == words.spelt.end() || at->term != term) continue;
      const size_t i = static_cast<size_t>(at - words.spelt.begin());
      if (words.frequencies[i] > 0) Merge(words, i, &known);
    }
  }
  std::vector<Completion> completions;
  completions.reserve(best.size());
  for (const auto& [token, found] : best) {
    completions.push_back({std::string(found.first.text), found.second, found.first.edits});
  }
  const size_t kept = std::min(limit, completions.size());
  std::partial_sort(completions.begin(), completions.begin() + static_cast<std::ptrdiff_t>(kept), completions.end(),
                    IsBefore);
  completions.resize(kept);
  return completions;
}

std::vector<Completion> CompletionCache::Complete(const Snapshot& snapshot, uint32_t field_mask, std::string_view word,
                                                  int edits, bool is_whole, size_t limit, SearchBudget* budget) {
  if (snapshot.sequence != sequence_ || kept_.size() >= kMostKept) kept_.clear();
  sequence_ = snapshot.sequence;
  std::string name;
  AppendValue(&name, field_mask);
  AppendValue(&name, static_cast<uint32_t>(limit));
  name += static_cast<char>(edits + (is_whole ? 8 : 0));
  name += word;
  const auto known = kept_.find(name);
  if (known != kept_.end()) return known->second;
  std::vector<Completion> completions = CompleteWord(snapshot, field_mask, word, edits, is_whole, limit, budget);
  if (!budget->is_spent()) kept_.emplace(std::move(name), completions);
  return completions;
}

}  // namespace freshdex::score
