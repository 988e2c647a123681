// The matching side of a query: iterators over documents in ascending order, each able to score the document it stands
// on.
//
// Protocol: a fresh matcher stands on its first document. doc() is kNoDoc when there is none left. Score() and
// Explain() are only legal on a document. Matchers belong to one search of one snapshot, which must outlive them.
//
// Scores are summed in the order of the query's clauses, whatever order evaluation takes, so the same document always
// gets the same double.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "native/index/ids.h"
#include "native/score/document_set.h"
#include "native/score/search_budget.h"

namespace freshdex::score {

using index::DocId;
using index::kNoDoc;

// Where a leaf of the query is in no field.
inline constexpr index::FieldId kNoField = 0xFF;

// What one leaf of the query gave to a document's score.
struct LeafScore {
  const char* kind;  // "word", "phrase", "prefix", "fuzzy", "all"
  index::FieldId field;
  std::string term;
  double tf;
  uint32_t df;
  double idf;
  uint32_t length;  // as the length norm gives it
  double average_length;
  double boost;
  double score;
};

// Documents of one window of the document space, while an `or` collects them.
struct ScoreWindow {
  static constexpr DocId kDocs = 4096;
  DocId begin = 0;
  double scores[kDocs];
  uint64_t matches[kDocs / 64];

  void Add(DocId doc, double score) {
    const DocId at = doc - begin;
    matches[at / 64] |= uint64_t{1} << (at % 64);
    scores[at] += score;
  }
};

class Matcher {
 public:
  virtual ~Matcher() = default;

  DocId doc() const { return doc_; }
  virtual void Next() = 0;
  // Moves to the first document >= target. REQUIRES: target > doc().
  virtual void Advance(DocId target) = 0;
  virtual double Score() = 0;
  virtual void Explain(std::vector<LeafScore>* out) = 0;
  // An upper estimate of the number of documents, to start an `and` with its rarest part.
  virtual uint64_t cost() const = 0;

  // Adds every document below window->begin + kDocs to the window and steps past it. REQUIRES: doc() >= window->begin.
  virtual void Drain(ScoreWindow* window) {
    // The end is computed in 64 bits, since the last window may end behind the last document number.
    for (const uint64_t end = uint64_t{window->begin} + ScoreWindow::kDocs; doc_ != kNoDoc && doc_ < end; Next())
      window->Add(doc_, Score());
  }

 protected:
  DocId doc_ = kNoDoc;
};

using MatcherPtr = std::unique_ptr<Matcher>;

// Moves a matcher from where it stands to its first document that passes; null: all do. False when there is none, or
// the budget is spent.
inline bool SkipToPassing(Matcher* matcher, const DocumentSet* passing, SearchBudget* budget) {
  if (!passing) return matcher->doc() != kNoDoc;
  while (matcher->doc() != kNoDoc && !passing->Has(matcher->doc())) {
    const DocId next = passing->NextFrom(matcher->doc() + 1);
    if (next == kNoDoc || !budget->Spend(1)) return false;
    matcher->Advance(next);
  }
  return matcher->doc() != kNoDoc;
}

}  // namespace freshdex::score
