// Matchers of the leaves of a query: a term, a phrase, a set of expanded terms.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "native/index/posting_cursor.h"
#include "native/score/expansion.h"
#include "native/score/matcher.h"
#include "native/score/phrase_scan.h"
#include "native/score/query.h"
#include "native/score/search_budget.h"
#include "native/score/similarity.h"

namespace freshdex::score {

// What all leaves need to score: one field of the snapshot under the model. It must outlive the matchers.
struct LeafContext {
  const index::Snapshot* snapshot;
  const FieldScorer* scorer;
  index::FieldId field;
  double boost;  // the boosts of field and query multiplied, without idf

  uint8_t NormOf(DocId doc) const { return snapshot->norms[field][doc]; }
  LeafScore Describe(const char* kind, std::string term, double tf, uint32_t df, double idf, DocId doc) const;
};

class TermMatcher final : public Matcher {
 public:
  TermMatcher(const LeafContext& context, index::TermId term, SearchBudget* budget);

  void Next() override {
    cursor_.Next();
    doc_ = cursor_.doc();
  }
  void Advance(DocId target) override {
    cursor_.AdvanceTo(target);
    doc_ = cursor_.doc();
  }
  double Score() override { return context_.scorer->Score(weight_, cursor_.tf(), context_.NormOf(doc_)); }
  void Explain(std::vector<LeafScore>* out) override;
  uint64_t cost() const override { return cursor_.df(); }
  void Drain(ScoreWindow* window) override;

 private:
  const LeafContext context_;
  const index::TermId term_;
  SearchBudget* const budget_;
  index::PostingCursor cursor_;
  double idf_;
  double weight_;
};

// Documents whose field holds the tokens at the same relative positions. Candidates come from the postings, positions
// from the forward record, so that an edit never has to rewrite positions of words it did not touch.
class PhraseMatcher final : public Matcher {
 public:
  // terms[i] stands `offsets[i]` positions behind terms[0]. REQUIRES: at least two terms, offsets strictly ascending
  // from 0.
  PhraseMatcher(const LeafContext& context, std::span<const index::TermId> terms, std::span<const uint32_t> offsets,
                std::string text, SearchBudget* budget);

  void Next() override;
  void Advance(DocId target) override;
  double Score() override { return context_.scorer->Score(weight_, frequency_, context_.NormOf(doc_)); }
  void Explain(std::vector<LeafScore>* out) override;
  uint64_t cost() const override;

 private:
  void FindFrom(DocId candidate);
  uint32_t CountIn(DocId doc) const;

  const LeafContext context_;
  SearchBudget* const budget_;
  const std::string text_;
  std::vector<std::unique_ptr<index::PostingCursor>> cursors_;  // one per list that may have it, shortest first
  bool is_exact_ = false;                                       // the only list has the frequencies of the phrase
  const PhraseScan scan_;
  double idf_ = 0;
  double weight_ = 0;
  uint32_t frequency_ = 0;
  uint32_t rarest_df_ = 0;  // of the words
};

// The documents that have at least one of a set of expanded terms, and the weighted sum of its frequencies there.
// Clauses of a query that say the same share it.
struct ExpandedPostings {
  std::vector<std::pair<DocId, double>> postings;  // ascending documents
  uint32_t df = 0;                                 // the largest of the terms
};

// Empty when the budget is spent.
ExpandedPostings GatherPostings(const index::Snapshot& snapshot, const Expansion& expansion, SearchBudget* budget);

// Documents with at least one of the expanded terms; scored like one term whose frequency is the weighted sum of
// theirs.
class ExpansionMatcher final : public Matcher {
 public:
  ExpansionMatcher(const LeafContext& context, std::shared_ptr<const ExpandedPostings> expanded, const char* kind,
                   std::string text);

  void Next() override { Move(at_ + 1); }
  void Advance(DocId target) override;
  double Score() override { return context_.scorer->Score(weight_, postings()[at_].second, context_.NormOf(doc_)); }
  void Explain(std::vector<LeafScore>* out) override;
  uint64_t cost() const override { return postings().size(); }

 private:
  const std::vector<std::pair<DocId, double>>& postings() const { return expanded_->postings; }
  void Move(size_t at) {
    at_ = at;
    doc_ = at < postings().size() ? postings()[at].first : kNoDoc;
  }

  const LeafContext context_;
  const std::shared_ptr<const ExpandedPostings> expanded_;
  const char* const kind_;
  const std::string text_;
  size_t at_ = 0;
  double idf_;
  double weight_;
};

}  // namespace freshdex::score
