#include "native/score/leaf_matchers.h"

#include <algorithm>

#include "native/index/length_norm.h"
#include "native/score/budgeted_sort.h"
#include "native/score/phrase_sources.h"

namespace freshdex::score {

using index::ForwardView;
using index::PostingCursor;
using index::TermId;

LeafScore LeafContext::Describe(const char* kind, std::string term, double tf, uint32_t df, double idf,
                                DocId doc) const {
  LeafScore leaf;
  leaf.kind = kind;
  leaf.field = field;
  leaf.term = std::move(term);
  leaf.tf = tf;
  leaf.df = df;
  leaf.idf = idf;
  leaf.length = index::DecodeLength(NormOf(doc));
  leaf.average_length = scorer->average_length();
  leaf.boost = boost;
  leaf.score = Capped(scorer->Score(Capped(boost * idf), tf, NormOf(doc)));
  return leaf;
}

TermMatcher::TermMatcher(const LeafContext& context, TermId term, SearchBudget* budget)
    : context_(context), term_(term), budget_(budget), cursor_(*context.snapshot, term) {
  idf_ = context_.scorer->Idf(cursor_.df());
  weight_ = Capped(context_.boost * idf_);
  doc_ = cursor_.doc();
}

void TermMatcher::Explain(std::vector<LeafScore>* out) {
  const std::string text(context_.snapshot->terms().Text(term_));
  out->push_back(context_.Describe("word", text, cursor_.tf(), cursor_.df(), idf_, doc_));
}

// Block by block, without a virtual call per document.
void TermMatcher::Drain(ScoreWindow* window) {
  const uint64_t end = uint64_t{window->begin} + ScoreWindow::kDocs;
  const index::NormTable& norms = context_.snapshot->norms[context_.field];
  while (doc_ != kNoDoc && doc_ < end && budget_->Spend(index::kBlockPostings)) {
    const DocId* docs = cursor_.block_docs();
    const uint32_t* tfs = cursor_.block_tfs();
    const size_t left = cursor_.block_left();
    size_t i = 0;
    for (; i < left && docs[i] < end; ++i)
      window->Add(docs[i], context_.scorer->Score(weight_, tfs[i], norms[docs[i]]));
    if (i == left) {
      cursor_.NextBlock();
    } else {
      cursor_.AdvanceTo(docs[i]);
    }
    doc_ = cursor_.doc();
  }
}

PhraseMatcher::PhraseMatcher(const LeafContext& context, std::span<const TermId> terms,
                             std::span<const uint32_t> offsets, std::string text, SearchBudget* budget)
    : context_(context), budget_(budget), text_(std::move(text)), scan_(terms, offsets) {
  const PhraseSources sources = SourcesOf(*context_.snapshot, terms, offsets);
  is_exact_ = sources.is_exact;
  for (const PhraseSource& source : sources.lists) {
    cursors_.push_back(std::make_unique<PostingCursor>(*source.set, context_.snapshot->doc_limit, source.number));
  }
  std::sort(cursors_.begin(), cursors_.end(), [](const auto& a, const auto& b) { return a->df() < b->df(); });
  rarest_df_ = UINT32_MAX;
  for (TermId term : terms) {
    const uint32_t df = context_.snapshot->DocumentFrequency(term);
    rarest_df_ = std::min(rarest_df_, df);
    idf_ += context_.scorer->Idf(df);
  }
  weight_ = Capped(context_.boost * idf_);
  FindFrom(0);
}

void PhraseMatcher::Next() { FindFrom(doc_ + 1); }

void PhraseMatcher::Advance(DocId target) { FindFrom(target); }

uint64_t PhraseMatcher::cost() const { return cursors_.front()->df(); }

void PhraseMatcher::FindFrom(DocId candidate) {
  doc_ = kNoDoc;
  for (;;) {
    for (size_t i = 0; i < cursors_.size();) {
      PostingCursor& cursor = *cursors_[i];
      if (!budget_->Spend(1)) return;
      if (cursor.doc() < candidate) cursor.AdvanceTo(candidate);
      if (cursor.doc() == kNoDoc) return;
      if (cursor.doc() == candidate) {
        ++i;
        continue;
      }
      candidate = cursor.doc();
      i = i == 0 ? 1 : 0;
    }
    // Most candidates of a phrase of common words fail, and each costs a search of its record: ask for time here too.
    if (!budget_->Spend(is_exact_ ? 1 : kCandidateCost)) return;
    frequency_ = is_exact_ ? cursors_.front()->tf() : CountIn(candidate);
    if (frequency_ > 0) {
      doc_ = candidate;
      return;
    }
    ++candidate;
  }
}

uint32_t PhraseMatcher::CountIn(DocId doc) const {
  const auto record = context_.snapshot->Record(doc);
  if (!record) return 0;  // damaged: the damage log keeps the answer from being given
  return scan_.Count(ForwardView(record->forward).codes(context_.field));
}

void PhraseMatcher::Explain(std::vector<LeafScore>* out) {
  out->push_back(context_.Describe("phrase", text_, frequency_, rarest_df_, idf_, doc_));
}

namespace {

using Postings = std::vector<std::pair<DocId, double>>;

// Below this share of the documents, sorting postings is cheaper than a sum for every document.
constexpr uint64_t kSparse = 16;

// Visits the postings of all terms, term by term; false when the budget is spent.
template <typename Visit>
bool VisitPostings(const index::Snapshot& snapshot, const Expansion& expansion, SearchBudget* budget, Visit visit) {
  for (const ExpandedTerm& expanded : expansion.terms) {
    for (PostingCursor cursor(snapshot, expanded.term); cursor.doc() != kNoDoc; cursor.NextBlock()) {
      const size_t count = cursor.block_left();
      if (!budget->Spend(count)) return false;
      for (size_t i = 0; i < count; ++i) visit(cursor.block_docs()[i], expanded.weight * cursor.block_tfs()[i]);
    }
  }
  return true;
}

// Sums in the order of the terms, as SumDense does.
bool SumSparse(const index::Snapshot& snapshot, const Expansion& expansion, SearchBudget* budget, Postings* sums) {
  const bool is_done =
      VisitPostings(snapshot, expansion, budget, [&](DocId doc, double tf) { sums->emplace_back(doc, tf); });
  if (!is_done) return false;
  if (!SortWithin(budget, sums, [](const auto& a, const auto& b) { return a.first < b.first; })) return false;
  size_t kept = 0;
  for (size_t i = 0; i < sums->size(); ++i) {
    if (kept > 0 && (*sums)[kept - 1].first == (*sums)[i].first) {
      (*sums)[kept - 1].second += (*sums)[i].second;
    } else {
      (*sums)[kept++] = (*sums)[i];
    }
  }
  sums->resize(kept);
  return true;
}

// Many terms that most documents have would make a list many times as long as there are documents.
bool SumDense(const index::Snapshot& snapshot, const Expansion& expansion, SearchBudget* budget, Postings* sums) {
  std::vector<double> by_document(snapshot.doc_limit, 0);
  const bool is_done =
      VisitPostings(snapshot, expansion, budget, [&](DocId doc, double tf) { by_document[doc] += tf; });
  if (!is_done) return false;
  for (DocId doc = 0; doc < snapshot.doc_limit; ++doc) {
    if (doc % ScoreWindow::kDocs == 0 && !budget->Spend(ScoreWindow::kDocs)) return false;
    if (by_document[doc] > 0) sums->emplace_back(doc, by_document[doc]);
  }
  return true;
}

}  // namespace

ExpandedPostings GatherPostings(const index::Snapshot& snapshot, const Expansion& expansion, SearchBudget* budget) {
  ExpandedPostings gathered;
  uint64_t count = 0;
  for (const ExpandedTerm& expanded : expansion.terms) {
    gathered.df = std::max(gathered.df, expanded.df);
    count += expanded.df;
  }
  const bool is_sparse = count * kSparse < snapshot.doc_limit;
  const bool is_done = is_sparse ? SumSparse(snapshot, expansion, budget, &gathered.postings)
                                 : SumDense(snapshot, expansion, budget, &gathered.postings);
  if (!is_done) gathered.postings.clear();
  return gathered;
}

ExpansionMatcher::ExpansionMatcher(const LeafContext& context, std::shared_ptr<const ExpandedPostings> expanded,
                                   const char* kind, std::string text)
    : context_(context), expanded_(std::move(expanded)), kind_(kind), text_(std::move(text)) {
  idf_ = context_.scorer->Idf(expanded_->df);
  weight_ = Capped(context_.boost * idf_);
  Move(0);
}

void ExpansionMatcher::Advance(DocId target) {
  const auto from = postings().begin() + static_cast<std::ptrdiff_t>(at_);
  const auto found = std::lower_bound(from, postings().end(), target,
                                      [](const auto& posting, DocId wanted) { return posting.first < wanted; });
  Move(static_cast<size_t>(found - postings().begin()));
}

void ExpansionMatcher::Explain(std::vector<LeafScore>* out) {
  out->push_back(context_.Describe(kind_, text_, postings()[at_].second, expanded_->df, idf_, doc_));
}

}  // namespace freshdex::score
