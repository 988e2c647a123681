// From a query to the matcher that evaluates it on a snapshot.
#pragma once

#include <memory>
#include <vector>

#include "native/score/leaf_matchers.h"
#include "native/score/matcher.h"
#include "native/score/query.h"
#include "native/score/similarity.h"

namespace freshdex::score {

// What a prefix, near prefix or fuzzy word stands for in a field.
Expansion ExpansionOf(const index::Snapshot& snapshot, index::FieldId field, const QueryNode& node, size_t limit);

// Owns what the matchers refer to; the snapshot, the scoring and the budget must outlive it.
class Plan {
 public:
  struct Options {
    size_t max_expansions = 1024;  // per prefix or fuzzy word and field
    bool is_for_explaining = false;
  };

  Plan(const index::Snapshot& snapshot, const Scoring& scoring, const QueryNode& query, const Options& options,
       SearchBudget* budget);

  Matcher& root() { return *root_; }
  // Whether some prefix or fuzzy word had more expansions than allowed.
  bool is_truncated() const { return is_truncated_; }

 private:
  // The matcher of a node; null when the node vanishes (docs/search-model.md).
  MatcherPtr Build(const QueryNode& node, double boost, bool is_root);
  MatcherPtr BuildWord(const QueryNode& node, double boost, bool is_root);
  MatcherPtr BuildPhrase(const QueryNode& node, double boost);
  MatcherPtr BuildExpansion(const QueryNode& node, double boost);
  MatcherPtr BuildAnd(const QueryNode& node, double boost);
  MatcherPtr BuildOr(const QueryNode& node, double boost, bool is_root);
  MatcherPtr BuildTiers(const QueryNode& node, double boost);
  MatcherPtr AnyOf(std::vector<MatcherPtr> parts, bool is_root) const;
  LeafContext Context(size_t field, double boost);
  bool Selects(const QueryNode& node, size_t field) const { return (node.field_mask >> field & 1) != 0; }

  const index::Snapshot& snapshot_;
  const Scoring& scoring_;
  const Options options_;
  SearchBudget* const budget_;
  std::vector<std::unique_ptr<FieldScorer>> scorers_;  // by field, made when first needed
  bool is_truncated_ = false;
  MatcherPtr root_;
};

}  // namespace freshdex::score
