#include "native/score/group_matchers.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace freshdex::score {

AndMatcher::AndMatcher(std::vector<MatcherPtr> required, std::vector<MatcherPtr> excluded, SearchBudget* budget)
    : required_(std::move(required)), excluded_(std::move(excluded)), budget_(budget) {
  for (const MatcherPtr& part : required_) by_cost_.push_back(part.get());
  std::stable_sort(by_cost_.begin(), by_cost_.end(),
                   [](const Matcher* a, const Matcher* b) { return a->cost() < b->cost(); });
  FindFrom(0);
}

void AndMatcher::FindFrom(DocId candidate) {
  doc_ = kNoDoc;
  for (;;) {
    // The rarest part proposes; whoever stands further proposes in turn, and the round starts again.
    for (size_t i = 0; i < by_cost_.size();) {
      Matcher& part = *by_cost_[i];
      if (!budget_->Spend(1)) return;
      if (part.doc() < candidate) part.Advance(candidate);
      if (part.doc() == kNoDoc) return;
      if (part.doc() == candidate) {
        ++i;
        continue;
      }
      candidate = part.doc();
      i = i == 0 ? 1 : 0;
    }
    const bool is_excluded = IsExcluded(candidate);
    if (!budget_->Spend(excluded_.size())) return;
    if (!is_excluded) {
      doc_ = candidate;
      return;
    }
    ++candidate;
  }
}

bool AndMatcher::IsExcluded(DocId doc) {
  for (const MatcherPtr& part : excluded_) {
    if (part->doc() < doc) part->Advance(doc);
    if (part->doc() == doc) return true;
  }
  return false;
}

double AndMatcher::Score() {
  double sum = 0;
  for (const MatcherPtr& part : required_) sum += part->Score();
  return sum;
}

void AndMatcher::Explain(std::vector<LeafScore>* out) {
  for (const MatcherPtr& part : required_) part->Explain(out);
}

OrMatcher::OrMatcher(std::vector<MatcherPtr> parts, SearchBudget* budget) : parts_(std::move(parts)), budget_(budget) {
  TakeSmallest();
}

void OrMatcher::TakeSmallest() {
  doc_ = kNoDoc;
  if (!budget_->Spend(parts_.size())) return;
  for (const MatcherPtr& part : parts_) doc_ = std::min(doc_, part->doc());
}

void OrMatcher::Next() {
  for (const MatcherPtr& part : parts_) {
    if (part->doc() == doc_) part->Next();
  }
  TakeSmallest();
}

void OrMatcher::Advance(DocId target) {
  for (const MatcherPtr& part : parts_) {
    if (part->doc() < target) part->Advance(target);
  }
  TakeSmallest();
}

double OrMatcher::Score() {
  double sum = 0;
  for (const MatcherPtr& part : parts_) {
    if (part->doc() == doc_) sum += part->Score();
  }
  return sum;
}

void OrMatcher::Explain(std::vector<LeafScore>* out) {
  for (const MatcherPtr& part : parts_) {
    if (part->doc() == doc_) part->Explain(out);
  }
}

uint64_t OrMatcher::cost() const {
  uint64_t sum = 0;
  for (const MatcherPtr& part : parts_) sum += part->cost();
  return sum;
}

FirstOfMatcher::FirstOfMatcher(std::vector<MatcherPtr> parts, SearchBudget* budget)
    : parts_(std::move(parts)), budget_(budget) {
  FindFrom(0);
}

void FirstOfMatcher::FindFrom(DocId candidate) {
  doc_ = kNoDoc;
  for (const MatcherPtr& part : parts_) {
    if (part->doc() < candidate) part->Advance(candidate);
    doc_ = std::min(doc_, part->doc());
  }
  if (!budget_->Spend(parts_.size())) doc_ = kNoDoc;
}

Matcher& FirstOfMatcher::First() {
  for (const MatcherPtr& part : parts_) {
    if (part->doc() == doc_) return *part;
  }
  return *parts_.front();
}

uint64_t FirstOfMatcher::cost() const {
  uint64_t sum = 0;
  for (const MatcherPtr& part : parts_) sum += part->cost();
  return sum;
}

WindowOrMatcher::WindowOrMatcher(std::vector<MatcherPtr> parts, SearchBudget* budget)
    : parts_(std::move(parts)), budget_(budget), window_(std::make_unique<ScoreWindow>()) {
  FindFrom(0);
}

uint64_t WindowOrMatcher::cost() const {
  uint64_t sum = 0;
  for (const MatcherPtr& part : parts_) sum += part->cost();
  return sum;
}

// What a part costs that has few documents in a window.
constexpr uint64_t kWindowCost = 8;

bool WindowOrMatcher::LoadWindow(DocId candidate) {
  DocId first = kNoDoc;
  for (const MatcherPtr& part : parts_) {
    if (!budget_->Spend(1)) return false;
    if (part->doc() < candidate) part->Advance(candidate);
    first = std::min(first, part->doc());
  }
  if (first == kNoDoc) return false;
  window_->begin = first / ScoreWindow::kDocs * ScoreWindow::kDocs;
  std::memset(window_->scores, 0, sizeof(window_->scores));
  std::memset(window_->matches, 0, sizeof(window_->matches));
  for (const MatcherPtr& part : parts_) {
    if (part->doc() != kNoDoc) part->Drain(window_.get());
    // Sums that lack a part are no scores.
    if (!budget_->Spend(kWindowCost)) return false;
  }
  is_loaded_ = true;
  return true;
}

void WindowOrMatcher::FindFrom(DocId candidate) {
  doc_ = kNoDoc;
  for (;;) {
    if (is_loaded_ && candidate >= window_->begin && candidate - window_->begin < ScoreWindow::kDocs) {
      DocId at = candidate - window_->begin;
      uint64_t word = window_->matches[at / 64] >> (at % 64) << (at % 64);
      for (size_t i = at / 64;;) {
        if (word != 0) {
          doc_ = window_->begin + static_cast<DocId>(i * 64) + static_cast<DocId>(std::countr_zero(word));
          return;
        }
        if (++i == ScoreWindow::kDocs / 64) break;
        word = window_->matches[i];
      }
      candidate = window_->begin + ScoreWindow::kDocs;
      if (candidate == 0) return;  // the last window of the document space
    }
    if (!LoadWindow(candidate)) return;
    candidate = std::max(candidate, window_->begin);
  }
}

ComplementMatcher::ComplementMatcher(const index::Snapshot& snapshot, MatcherPtr part, SearchBudget* budget)
    : snapshot_(snapshot), part_(std::move(part)), budget_(budget) {
  FindFrom(0);
}

void ComplementMatcher::FindFrom(DocId candidate) {
  for (doc_ = kNoDoc; candidate < snapshot_.doc_limit; ++candidate) {
    if (!snapshot_.IsVisible(candidate)) continue;
    if (!budget_->Spend(1)) return;
    if (part_ && part_->doc() < candidate) part_->Advance(candidate);
    if (part_ && part_->doc() == candidate) continue;
    // A part that has ended with the budget excludes nothing any more.
    if (budget_->is_spent()) return;
    doc_ = candidate;
    return;
  }
}

void AllMatcher::FindFrom(DocId candidate) {
  if (documents_) {
    doc_ = documents_->NextFrom(candidate);
    return;
  }
  for (doc_ = kNoDoc; candidate < snapshot_.doc_limit && budget_->Spend(1); ++candidate) {
    if (!snapshot_.IsVisible(candidate)) continue;
    doc_ = candidate;
    return;
  }
}

void AllMatcher::Explain(std::vector<LeafScore>* out) {
  LeafScore leaf{};
  leaf.kind = "all";
  leaf.field = kNoField;
  leaf.term = "*";
  leaf.tf = 1;
  leaf.df = static_cast<uint32_t>(snapshot_.documents);
  leaf.idf = 1;
  leaf.boost = boost_;
  leaf.score = boost_;
  out->push_back(std::move(leaf));
}

}  // namespace freshdex::score
