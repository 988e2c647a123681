#include "native/quality/answer_list.h"

#include <algorithm>
#include <memory>

#include "native/index/posting_cursor.h"

namespace freshdex::quality {
namespace {

using index::DocId;
using index::kNoDoc;

// Walks the pages that have one word in any field.
class WordCursor {
 public:
  WordCursor(const index::Snapshot& snapshot, const Epoch& epoch, WordNumber word)
      : snapshot_(snapshot), epoch_(epoch) {
    for (size_t field = 0; field < epoch.fields(); ++field) {
      const index::TermId term = snapshot.FindTerm(static_cast<index::FieldId>(field), epoch.workload().text(word));
      if (term == index::kNoTerm) continue;
      parts_.push_back({field, epoch.SlotOf(word, field), std::make_unique<index::PostingCursor>(snapshot, term)});
      cost_ += parts_.back().cursor->df();
    }
    TakeSmallest();
  }

  DocId doc() const { return doc_; }
  uint64_t cost() const { return cost_; }

  void AdvanceTo(DocId target) {
    for (Part& part : parts_) {
      if (part.cursor->doc() < target) part.cursor->AdvanceTo(target);
    }
    TakeSmallest();
  }

  // The score of the page that the cursor stands on.
  double Score() const {
    double sum = 0;
    for (const Part& part : parts_) {
      if (part.cursor->doc() == doc_)
        sum += epoch_.Score(part.slot, part.field, part.cursor->tf(), snapshot_.norms[part.field][doc_]);
    }
    return sum;
  }

 private:
  struct Part {
    size_t field;
    Epoch::Slot slot;
    std::unique_ptr<index::PostingCursor> cursor;
  };

  void TakeSmallest() {
    doc_ = kNoDoc;
    for (const Part& part : parts_) doc_ = std::min(doc_, part.cursor->doc());
  }

  const index::Snapshot& snapshot_;
  const Epoch& epoch_;
  std::vector<Part> parts_;
  uint64_t cost_ = 0;
  DocId doc_ = kNoDoc;
};

// The first document >= candidate on which all words stand; they are left standing on it.
DocId FindFrom(DocId candidate, const std::vector<WordCursor*>& by_cost) {
  for (size_t i = 0; i < by_cost.size();) {
    WordCursor& word = *by_cost[i];
    if (word.doc() < candidate) word.AdvanceTo(candidate);
    if (word.doc() == kNoDoc) return kNoDoc;
    if (word.doc() == candidate) {
      ++i;
      continue;
    }
    candidate = word.doc();
    i = i == 0 ? 1 : 0;
  }
  return candidate;
}

}  // namespace

void FindAnswers(const index::Snapshot& snapshot, const Epoch& epoch, QueryNumber query, std::vector<Answer>* answers) {
  answers->clear();
  std::vector<WordCursor> words;
  for (WordNumber word : epoch.workload().words(query)) words.emplace_back(snapshot, epoch, word);
  std::vector<WordCursor*> by_cost;
  for (WordCursor& word : words) by_cost.push_back(&word);
  std::stable_sort(by_cost.begin(), by_cost.end(),
                   [](const WordCursor* a, const WordCursor* b) { return a->cost() < b->cost(); });
  for (DocId doc = FindFrom(0, by_cost); doc != kNoDoc; doc = FindFrom(doc + 1, by_cost)) {
    double sum = 0;
    for (const WordCursor& word : words) sum += word.Score();
    const float score = epoch.Combine(sum, snapshot.weights[doc]);
    if (score > 0) answers->push_back({doc, score});
  }
}

}  // namespace freshdex::quality
