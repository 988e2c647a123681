// Matchers of the inner nodes of a query. They end when the budget is spent.
#pragma once

#include <cassert>
#include <vector>

#include "native/index/snapshot.h"
#include "native/score/matcher.h"
#include "native/score/search_budget.h"

namespace freshdex::score {

// Matches documents that match all of `required` and none of `excluded`.
class AndMatcher final : public Matcher {
 public:
  // REQUIRES: at least one required part.
  AndMatcher(std::vector<MatcherPtr> required, std::vector<MatcherPtr> excluded, SearchBudget* budget);

  void Next() override { FindFrom(doc_ + 1); }
  void Advance(DocId target) override { FindFrom(target); }
  double Score() override;
  void Explain(std::vector<LeafScore>* out) override;
  uint64_t cost() const override { return by_cost_.front()->cost(); }

 private:
  void FindFrom(DocId candidate);
  bool IsExcluded(DocId doc);

  std::vector<MatcherPtr> required_;  // in order of the query
  std::vector<MatcherPtr> excluded_;
  std::vector<Matcher*> by_cost_;  // the required ones, rarest first
  SearchBudget* const budget_;
};

// Matches documents that match at least one part. For few parts, which are scored only when asked: for parts of an
// `and` and for the fields of a word.
class OrMatcher final : public Matcher {
 public:
  // REQUIRES: at least one part.
  OrMatcher(std::vector<MatcherPtr> parts, SearchBudget* budget);

  void Next() override;
  void Advance(DocId target) override;
  double Score() override;
  void Explain(std::vector<LeafScore>* out) override;
  uint64_t cost() const override;

 private:
  void TakeSmallest();

  std::vector<MatcherPtr> parts_;
  SearchBudget* const budget_;
};

// Matches documents that match at least one part, and scores them by the first part that they match.
class FirstOfMatcher final : public Matcher {
 public:
  // REQUIRES: at least one part.
  FirstOfMatcher(std::vector<MatcherPtr> parts, SearchBudget* budget);

  void Next() override { FindFrom(doc_ + 1); }
  void Advance(DocId target) override { FindFrom(target); }
  double Score() override { return First().Score(); }
  void Explain(std::vector<LeafScore>* out) override { First().Explain(out); }
  uint64_t cost() const override;

 private:
  void FindFrom(DocId candidate);
  Matcher& First();

  std::vector<MatcherPtr> parts_;
  SearchBudget* const budget_;
};

// Matches documents that match at least one part. For many parts or a whole query: scores windows of 4,096 documents,
// part by part.
class WindowOrMatcher final : public Matcher {
 public:
  WindowOrMatcher(std::vector<MatcherPtr> parts, SearchBudget* budget);

  void Next() override { FindFrom(doc_ + 1); }
  void Advance(DocId target) override { FindFrom(target); }
  double Score() override { return window_->scores[doc_ - window_->begin]; }
  // The parts have moved on when a window is scored: queries planned for explaining use OrMatcher instead.
  void Explain(std::vector<LeafScore>*) override { assert(false); }
  uint64_t cost() const override;

 private:
  void FindFrom(DocId candidate);
  bool LoadWindow(DocId candidate);

  std::vector<MatcherPtr> parts_;
  SearchBudget* const budget_;
  std::unique_ptr<ScoreWindow> window_;
  bool is_loaded_ = false;
};

// Every visible document that `part` (may be null) does not match; scores 0.
class ComplementMatcher final : public Matcher {
 public:
  ComplementMatcher(const index::Snapshot& snapshot, MatcherPtr part, SearchBudget* budget);

  void Next() override { FindFrom(doc_ + 1); }
  void Advance(DocId target) override { FindFrom(target); }
  double Score() override { return 0; }
  void Explain(std::vector<LeafScore>*) override {}
  uint64_t cost() const override { return snapshot_.documents; }

 private:
  void FindFrom(DocId candidate);

  const index::Snapshot& snapshot_;
  MatcherPtr part_;
  SearchBudget* const budget_;
};

// Every visible document; scores its boost.
class AllMatcher final : public Matcher {
 public:
  // `documents`: only these, all of them visible; null: all.
  AllMatcher(const index::Snapshot& snapshot, double boost, const DocumentSet* documents, SearchBudget* budget)
      : snapshot_(snapshot), boost_(boost), documents_(documents), budget_(budget) {
    FindFrom(0);
  }

  void Next() override { FindFrom(doc_ + 1); }
  void Advance(DocId target) override { FindFrom(target); }
  double Score() override { return boost_; }
  void Explain(std::vector<LeafScore>* out) override;
  uint64_t cost() const override { return snapshot_.documents; }

 private:
  void FindFrom(DocId candidate);

  const index::Snapshot& snapshot_;
  const double boost_;
  const DocumentSet* const documents_;
  SearchBudget* const budget_;
};

class EmptyMatcher final : public Matcher {
 public:
  void Next() override {}
  void Advance(DocId) override {}
  double Score() override { return 0; }
  void Explain(std::vector<LeafScore>*) override {}
  uint64_t cost() const override { return 0; }
};

}  // namespace freshdex::score
