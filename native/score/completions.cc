#include "native/score/completions.h"

#include <algorithm>

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
std::vector<Spelt> SpeltIn(const Snapshot& snapshot, FieldId field, std::string_view word, int edits, bool is_whole) {
  std::vector<Spelt> found;
  const auto visit = [&](TermId term, std::string_view text, int distance) { found.push_back({term, distance, text}); };
  if (edits == 0) {
    VisitPrefixed(snapshot, field, word, visit);
  } else {
    VisitNear(snapshot, field, word, edits, !is_whole, visit);
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

}  // namespace

std::vector<Completion> CompleteWord(const Snapshot& snapshot, uint32_t field_mask, std::string_view word, int edits,
                                     bool is_whole, size_t limit) {
  if (word.empty()) return {};
  // By token, since fields have terms of their own.
  std::unordered_map<std::string_view, std::pair<Spelt, uint32_t>> best;
  for (size_t f = 0; f < snapshot.fields.size(); ++f) {
    if ((field_mask >> f & 1) == 0) continue;
    const std::vector<Spelt> found = SpeltIn(snapshot, static_cast<FieldId>(f), word, edits, is_whole);
    std::vector<TermId> terms;
    for (const Spelt& spelt : found) terms.push_back(spelt.term);
    const std::vector<uint32_t> frequencies = snapshot.DocumentFrequencies(terms);
    for (size_t i = 0; i < found.size(); ++i) {
      if (frequencies[i] == 0) continue;
      const auto [at, is_new] =
          best.try_emplace(snapshot.terms().Text(found[i].term), std::pair(found[i], frequencies[i]));
      if (is_new) continue;
      at->second.second = std::max(at->second.second, frequencies[i]);
      if (IsNearer(found[i], at->second.first)) at->second.first = found[i];
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

const std::vector<Completion>& CompletionCache::Complete(const Snapshot& snapshot, uint32_t field_mask,
                                                         std::string_view word, int edits, bool is_whole,
                                                         size_t limit) {
  if (snapshot.sequence != sequence_ || kept_.size() >= kMostKept) kept_.clear();
  sequence_ = snapshot.sequence;
  std::string name;
  AppendValue(&name, field_mask);
  AppendValue(&name, static_cast<uint32_t>(limit));
  name += static_cast<char>(edits + (is_whole ? 8 : 0));
  name += word;
  const auto known = kept_.find(name);
  if (known != kept_.end()) return known->second;
  return kept_.emplace(std::move(name), CompleteWord(snapshot, field_mask, word, edits, is_whole, limit)).first->second;
}

}  // namespace freshdex::score
