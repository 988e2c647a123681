// From a query to the matcher that evaluates it on a snapshot.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "native/score/leaf_matchers.h"
#include "native/score/matcher.h"
#include "native/score/query.h"
#include "native/score/similarity.h"

namespace freshdex::score {

// What a prefix, near prefix or fuzzy word stands for in a field.
Expansion ExpansionOf(const index::Snapshot& snapshot, index::FieldId field, const QueryNode& node, size_t limit,
                      SearchBudget* budget);

// Whether a word of fields of several analyzers is none in some of them, as a stop word is: then it is none at all.
bool VanishesInFields(const QueryNode& node);

// Owns what the matchers refer to; the snapshot, the scoring and the budget must outlive it.
class Plan {
 public:
  struct Options {
    size_t max_expansions = 1024;  // per prefix or fuzzy word and field
    bool is_for_explaining = false;
    // The only documents that the caller takes, all of them visible: the matcher may leave out others. Null: it takes
    // all.
    const DocumentSet* passing = nullptr;
  };

  Plan(const index::Snapshot& snapshot, const Scoring& scoring, const QueryNode& query, const Options& options,
       SearchBudget* budget);

  // Without documents when the budget was spent before the plan was made.
  Matcher& root() { return *root_; }
  // Whether some prefix or fuzzy word had more expansions than allowed.
  bool is_truncated() const { return is_truncated_; }

 private:
  // The matcher of a node; null when the node vanishes (docs/search-model.md).
  MatcherPtr Build(const QueryNode& node, double boost, bool is_root);
  MatcherPtr BuildKind(const QueryNode& node, double boost, bool is_root);
  MatcherPtr BuildWord(const QueryNode& node, double boost, bool is_root);
  MatcherPtr BuildPhrase(const QueryNode& node, double boost);
  MatcherPtr BuildExpansion(const QueryNode& node, double boost);
  MatcherPtr BuildAnd(const QueryNode& node, double boost);
  MatcherPtr BuildOr(const QueryNode& node, double boost, bool is_root);
  MatcherPtr BuildFields(const QueryNode& node, double boost, bool is_root);
  MatcherPtr BuildTiers(const QueryNode& node, double boost);
  MatcherPtr AnyOf(std::vector<MatcherPtr> parts, bool is_root) const;
  std::shared_ptr<const ExpandedPostings> Expand(const QueryNode& node, size_t field);
  LeafContext Context(size_t field, double boost);
  bool Selects(const QueryNode& node, size_t field) const { return (node.field_mask >> field & 1) != 0; }

  const index::Snapshot& snapshot_;
  const Scoring& scoring_;
  const Options options_;
  SearchBudget* const budget_;
  std::vector<std::unique_ptr<FieldScorer>> scorers_;  // by field, made when first needed
  // By field, kind, edits and text: what clauses that say the same have in common.
  std::map<std::tuple<size_t, QueryKind, int, std::string>, std::shared_ptr<const ExpandedPostings>> expanded_;
  bool is_truncated_ = false;
  MatcherPtr root_;
};

}  // namespace freshdex::score
