// A query that is words only: all of them, or any of them. Such queries are answered without a look at every match
// (pruned_search.h); all others go through matchers.
//
// A word may consist of several tokens, and a token is looked for in several fields. The score of a document is the sum
// over the words, of the sum over their tokens, of the sum over the fields (docs/search-model.md), always in this
// order, so that it is the same double as a matcher's.
#pragma once

#include <optional>
#include <vector>

#include "native/index/ids.h"
#include "native/index/snapshot.h"
#include "native/score/query.h"
#include "native/score/similarity.h"

namespace freshdex::score {

// A term of one field that the snapshot knows.
struct FlatLeaf {
  index::TermId term;
  index::FieldId field;
  double boost;  // those of field and query multiplied
  uint32_t token;
  uint32_t word;  // ascending, as `token`
};

struct FlatQuery {
  bool needs_all = false;  // every token, not any
  bool has_answer = true;  // false: a token that is needed is in no document
  uint32_t tokens = 0;     // with or without leaves
  std::vector<FlatLeaf> leaves;
};

// None for a query of another kind, or with more words than pays.
std::optional<FlatQuery> Flatten(const index::Snapshot& snapshot, const Scoring& scoring, const QueryNode& query);

}  // namespace freshdex::score
