#include "native/score/phrase_search.h"

#include <algorithm>
#include <memory>
#include <vector>

#include "native/score/best_hits.h"
#include "native/score/phrase_scan.h"
#include "native/score/phrase_sources.h"
#include "native/score/pruned_search.h"

namespace freshdex::score {
namespace {

using index::DocId;
using index::FieldId;
using index::TermId;

struct Phrase {
  FieldId field = 0;
  std::vector<TermId> terms;
  std::vector<uint32_t> offsets;
};

// The phrase in the terms of a field; none when the field lacks one of them.
std::optional<Phrase> PhraseIn(const index::Snapshot& snapshot, const QueryNode& query, FieldId field) {
  Phrase phrase{field, {}, {}};
  for (const QueryToken& token : query.tokens) {
    const TermId term = snapshot.FindTerm(field, token.text);
    if (term == index::kNoTerm) return std::nullopt;
    phrase.terms.push_back(term);
    phrase.offsets.push_back(token.position);
  }
  return phrase;
}

class PhraseSearch {
 public:
  // `leaves` are those of the sources, with the weight of the phrase, shortest first.
  PhraseSearch(const index::Snapshot& snapshot, const Phrase& phrase, const std::vector<PhraseSource>& sources,
               const LeafList& leaves, uint64_t count_up_to, const DocumentSet* passing, BestHits* best,
               SearchBudget* budget)
      : snapshot_(snapshot),
        field_(phrase.field),
        sources_(sources),
        leaves_(leaves),
        blocks_(leaves.size(), 0),
        scan_(phrase.terms, phrase.offsets),
        count_up_to_(count_up_to),
        passing_(passing),
        best_(*best),
        budget_(*budget) {}

  void Run() {
    LeafBlocks& lead = *leaves_.front();
    const bool is_bounded = sources_.front().has_frequencies;
    bool has_bounds = false;
    for (size_t b = 0; b < lead.count() && !is_exhausted_; ++b) {
      if (!budget_.Spend(index::kBlockPostings * leaves_.size())) return;
      const bool rules_out = is_bounded && !is_counting();
      if (rules_out && !has_bounds) {
        lead.MakeBounds();
        has_bounds = true;
      }
      if (rules_out && lead.bound(b) < best_.Limit()) continue;
      const index::PostingBlocks::Block& block = lead.Load(b);
      docs_.assign(block.docs, block.docs + block.count);
      if (is_bounded) {
        tfs_.assign(block.tfs, block.tfs + block.count);
      } else {
        tfs_.assign(block.count, index::kMaxTf);
      }
      if (passing_) Keep([&](size_t at) { return passing_->Has(docs_[at]); });
      if (rules_out) DropHopeless();
      for (size_t i = 1; i < leaves_.size() && !docs_.empty(); ++i) KeepCommon(i);
      VerifyCandidates();
    }
  }
  // More than count_up_to: at least that many.
  uint64_t matches() const { return matches_; }

 private:
  bool is_counting() const { return matches_ <= count_up_to_; }

  // Leaves out what cannot be a hit, however often it has the phrase.
  void DropHopeless() {
    leaves_.front()->Score(docs_.data(), tfs_.data(), docs_.size(), &bounds_);
    const float limit = best_.Limit();
    Keep([&](size_t i) { return bounds_[i] >= limit; });
  }

  // Keeps the documents that leaf `i` has, too, with the smaller frequency.
  void KeepCommon(size_t i) {
    leaves_[i]->Lookup(docs_, &blocks_[i], &found_tfs_, nullptr, 0);
    is_exhausted_ = is_exhausted_ || blocks_[i] == leaves_[i]->count();
    if (sources_[i].has_frequencies) {
      for (size_t at = 0; at < docs_.size(); ++at) tfs_[at] = std::min(tfs_[at], found_tfs_[at]);
    }
    Keep([&](size_t at) { return found_tfs_[at] > 0; });
  }

  template <typename IsKept>
  void Keep(IsKept is_kept) {
    size_t kept = 0;
    for (size_t i = 0; i < docs_.size(); ++i) {
      const bool keeps = is_kept(i);
      docs_[kept] = docs_[i];
      tfs_[kept] = tfs_[i];
      kept += keeps;
    }
    docs_.resize(kept);
    tfs_.resize(kept);
  }

  void VerifyCandidates() {
    if (docs_.empty()) return;
    if (!is_counting()) leaves_.front()->Score(docs_.data(), tfs_.data(), docs_.size(), &bounds_);
    const bool has_bounds = !is_counting();
    for (size_t i = 0; i < docs_.size(); ++i) {
      if (snapshot_.table) PrefetchFrom(i);
      if (has_bounds && bounds_[i] < best_.Limit()) continue;
      if (!budget_.Spend(kCandidateCost)) return;
      const auto record = snapshot_.Record(docs_[i]);
      if (!record) continue;  // damaged: the damage log keeps the answer from being given
      const uint32_t tf = scan_.Count(index::ForwardView(record->forward).codes(field_));
      if (tf == 0) continue;
      ++matches_;
      best_.OfferSingle(docs_[i], tf);
    }
  }

  // Records lie far apart: most of what a search takes would be waiting for them.
  void PrefetchFrom(size_t i) const {
    constexpr size_t kEntriesAhead = 8, kRecordsAhead = 3;
    if (i + kEntriesAhead < docs_.size()) snapshot_.table->PrefetchEntry(docs_[i + kEntriesAhead]);
    if (i + kRecordsAhead < docs_.size()) snapshot_.table->PrefetchRecord(docs_[i + kRecordsAhead]);
  }

  const index::Snapshot& snapshot_;
  const FieldId field_;
  const std::vector<PhraseSource>& sources_;
  const LeafList& leaves_;
  std::vector<size_t> blocks_;  // by leaf: where it is looked up next
  const PhraseScan scan_;
  const uint64_t count_up_to_;
  const DocumentSet* const passing_;  // null: all documents
  BestHits& best_;
  SearchBudget& budget_;
  uint64_t matches_ = 0;
  bool is_exhausted_ = false;  // some leaf has no document behind those that were kept last
  std::vector<DocId> docs_;
  std::vector<uint32_t> tfs_;  // the smallest of the lists that have frequencies
  std::vector<uint32_t> found_tfs_;
  std::vector<float> bounds_;
};

}  // namespace

std::optional<SearchOutcome> SearchPhrase(const index::Snapshot& snapshot, const Scoring& scoring,
                                          const QueryNode& query, const SearchRequest& request, ScorerCache* scorers) {
  std::optional<Phrase> phrase;
  for (size_t f = 0; f < snapshot.fields.size(); ++f) {
    if ((query.field_mask >> f & 1) == 0) continue;
    std::optional<Phrase> in_field = PhraseIn(snapshot, query, static_cast<FieldId>(f));
    if (!in_field) continue;
    if (phrase) return std::nullopt;
    phrase = std::move(in_field);
  }
  SearchOutcome outcome;
  if (!phrase) return outcome;

  const FieldScorer& scorer = scorers->Get(scoring, snapshot, phrase->field);
  double idf = 0;
  for (TermId term : phrase->terms) idf += scorer.Idf(snapshot.DocumentFrequency(term));
  const double boost = Capped(Capped(1 * query.boost) * scoring.field_boosts[phrase->field]);
  const double weight = Capped(boost * idf);
  const auto is_tame = [](double factor) { return factor >= kMinWeight && factor <= kMaxWeight; };
  if (!is_tame(scoring.alpha) || !is_tame(weight) || !scorer.has_rough_scores()) return std::nullopt;

  PhraseSources sources = SourcesOf(snapshot, phrase->terms, phrase->offsets);
  std::stable_sort(sources.lists.begin(), sources.lists.end(), [](const PhraseSource& a, const PhraseSource& b) {
    return a.set->DocumentFrequency(a.number) < b.set->DocumentFrequency(b.number);
  });
  LeafList leaves;
  for (const PhraseSource& source : sources.lists)
    leaves.push_back(std::make_unique<LeafBlocks>(snapshot, scoring, phrase->field, source, weight, scorers));
  for (const auto& leaf : leaves) {
    if (!leaf->has_small_blocks()) return std::nullopt;
  }

  const size_t k = size_t{request.limit} + request.offset;
  const uint64_t count_up_to = std::max<uint64_t>(request.count_up_to, k);
  BestHits best(snapshot, scoring, leaves, k);
  if (sources.is_exact) {
    SearchOne(leaves.front().get(), &best, k, request.passing, request.budget);
    const uint64_t matches = CountOne(leaves.front().get(), count_up_to, request.passing, request.budget);
    outcome.is_partial = request.budget->is_spent();
    const bool is_counted = !request.passing || matches <= count_up_to;
    outcome.is_total_exact = is_counted && !outcome.is_partial;
    outcome.total = is_counted ? matches : count_up_to;
    outcome.hits = best.Take();
    return outcome;
  }
  PhraseSearch search(snapshot, *phrase, sources.lists, leaves, count_up_to, request.passing, &best, request.budget);
  search.Run();
  outcome.total = std::min(search.matches(), count_up_to);
  outcome.is_partial = request.budget->is_spent();
  outcome.is_total_exact = search.matches() <= count_up_to && !outcome.is_partial;
  outcome.hits = best.Take();
  return outcome;
}

}  // namespace freshdex::score
