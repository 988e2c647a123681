#include "native/score/phrase_sources.h"

#include <algorithm>

namespace freshdex::score {

using index::kNoList;
using index::ListId;
using index::TermId;

namespace {

class SourceFinder {
 public:
  SourceFinder(const index::Snapshot& snapshot, std::span<const TermId> terms, std::span<const uint32_t> offsets)
      : snapshot_(snapshot), terms_(terms), offsets_(offsets), is_covered_(terms.size(), false) {}

  PhraseSources Find() {
    if (snapshot_.phrases.registry) AddLists(*snapshot_.phrases.registry);
    for (size_t i = 0; i < terms_.size(); ++i) {
      if (!is_covered_[i]) Add({&snapshot_, terms_[i], true});
    }
    return std::move(sources_);
  }

 private:
  bool AreNeighbours(size_t first, size_t last) const {
    return last < terms_.size() && offsets_[last] - offsets_[first] == last - first;
  }

  // The longest registered sequences, and buckets where two words have no list of their own.
  void AddLists(const index::PhraseRegistry& registry) {
    for (size_t i = 0; i + 1 < terms_.size(); ++i) {
      const bool is_in_triple = i > 0 && triple_end_ == i + 2;
      const ListId triple =
          AreNeighbours(i, i + 2) ? registry.Registered({terms_[i], terms_[i + 1], terms_[i + 2]}) : kNoList;
      if (triple != kNoList) {
        triple_end_ = i + 3;
        Cover(triple, i, 3);
        continue;
      }
      if (is_in_triple || !AreNeighbours(i, i + 1)) continue;
      const ListId pair = registry.ListOf(terms_[i], terms_[i + 1]);
      if (pair == kNoList) continue;
      if (registry.IsBucket(pair)) {
        Add({&snapshot_.phrases, pair, false});
      } else {
        Cover(pair, i, 2);
      }
    }
  }

  // A registered list says all about its words.
  void Cover(ListId list, size_t first, size_t count) {
    Add({&snapshot_.phrases, list, true});
    std::fill_n(is_covered_.begin() + static_cast<std::ptrdiff_t>(first), count, true);
    sources_.is_exact = count == terms_.size();
  }

  // A word, or a pair, may be in a phrase several times.
  void Add(const PhraseSource& source) {
    const auto is_same = [&](const PhraseSource& other) {
      return other.set == source.set && other.number == source.number;
    };
    if (std::none_of(sources_.lists.begin(), sources_.lists.end(), is_same)) sources_.lists.push_back(source);
  }

  const index::Snapshot& snapshot_;
  const std::span<const TermId> terms_;
  const std::span<const uint32_t> offsets_;
  std::vector<bool> is_covered_;
  size_t triple_end_ = 0;  // behind the last word of the last registered triple
  PhraseSources sources_;
};

}  // namespace

PhraseSources SourcesOf(const index::Snapshot& snapshot, std::span<const TermId> terms,
                        std::span<const uint32_t> offsets) {
  return SourceFinder(snapshot, terms, offsets).Find();
}

}  // namespace freshdex::score
