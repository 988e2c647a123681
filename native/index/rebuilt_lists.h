// Posting lists made anew from forward records, to compare with those that an index has. Slow and simple.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "native/index/posting_cursor.h"
#include "native/index/snapshot.h"

namespace freshdex::index {

class RebuiltLists {
 public:
  // visit_all(visit) calls visit(doc, list, tf) for every posting, each list's documents ascending. It is called twice:
  // first to size the lists, then to fill them.
  template <typename VisitAll>
  RebuiltLists(TermId lists, VisitAll visit_all) : begins_(size_t{lists} + 1, 0) {
    visit_all([&](DocId, TermId list, uint32_t) { ++begins_[list + 1]; });
    for (size_t i = 1; i < begins_.size(); ++i) begins_[i] += begins_[i - 1];
    docs_.resize(begins_.back());
    tfs_.resize(begins_.back());
    std::vector<uint64_t> next(begins_.begin(), begins_.end() - 1);
    visit_all([&](DocId doc, TermId list, uint32_t tf) {
      docs_[next[list]] = doc;
      tfs_[next[list]++] = tf;
    });
  }

  TermId lists() const { return static_cast<TermId>(begins_.size() - 1); }
  uint64_t postings() const { return docs_.size(); }

  bool IsSame(const PostingSet& set, DocId doc_limit, TermId list) const {
    const uint64_t begin = begins_[list], count = begins_[list + 1] - begin;
    PostingCursor cursor(set, doc_limit, list);
    bool is_same = cursor.df() == count && set.DocumentFrequency(list) == count;
    uint64_t i = 0;
    for (; cursor.doc() != kNoDoc; cursor.Next(), ++i)
      is_same &= i < count && cursor.doc() == docs_[begin + i] && cursor.tf() == tfs_[begin + i];
    return is_same && i == count;
  }

 private:
  std::vector<uint64_t> begins_;  // by list, into docs_ and tfs_
  std::vector<DocId> docs_;
  std::vector<uint32_t> tfs_;
};

// Calls visit(doc, list, tf) for all lists of phrases: every two and three neighbours of every field are looked up in
// the registry one by one. REQUIRES: there is a registry.
template <typename Visit>
void VisitPhrasePostings(const Snapshot& snapshot, Visit visit) {
  const PhraseRegistry& registry = *snapshot.phrases.registry;
  std::vector<uint32_t> counts(registry.lists(), 0);
  std::vector<ListId> touched;
  const auto count = [&](ListId list) {
    if (list != kNoList && counts[list]++ == 0) touched.push_back(list);
  };
  std::vector<std::pair<TermId, uint64_t>> tokens;
  for (DocId doc = 0; doc < snapshot.doc_limit; ++doc) {
    const auto record = snapshot.Record(doc);
    if (!record) continue;
    const ForwardView forward(record->forward);
    for (size_t f = 0; f < forward.fields(); ++f) {
      tokens.clear();
      VisitTokens(forward.codes(f), 0, [&](TermId term, uint64_t position) { tokens.emplace_back(term, position); });
      for (size_t i = 1; i < tokens.size(); ++i) {
        if (tokens[i].second != tokens[i - 1].second + 1) continue;
        count(registry.ListOf(tokens[i - 1].first, tokens[i].first));
        if (i < 2 || tokens[i].second != tokens[i - 2].second + 2) continue;
        count(registry.Registered({tokens[i - 2].first, tokens[i - 1].first, tokens[i].first}));
      }
    }
    for (ListId list : touched) {
      visit(doc, list, registry.IsBucket(list) ? 1 : std::min(counts[list], kMaxTf));
      counts[list] = 0;
    }
    touched.clear();
  }
}

}  // namespace freshdex::index
