#include "native/score/leaf_matchers.h"

#include <algorithm>

#include "native/index/length_norm.h"
#include "native/score/phrase_sources.h"

namespace freshdex::score {

namespace {

// A search through a record costs about as much as scoring this many documents.
constexpr uint64_t kCandidateCost = 16;

}  // namespace

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

TermMatcher::TermMatcher(const LeafContext& context, TermId term)
    : context_(context), term_(term), cursor_(*context.snapshot, term) {
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
  while (doc_ != kNoDoc && doc_ < end) {
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

ExpansionMatcher::ExpansionMatcher(const LeafContext& context, const Expansion& expansion, const char* kind,
                                   std::string text)
    : context_(context), kind_(kind), text_(std::move(text)) {
  for (const ExpandedTerm& expanded : expansion.terms) {
    df_ = std::max(df_, expanded.df);
    for (PostingCursor cursor(*context_.snapshot, expanded.term); cursor.doc() != kNoDoc; cursor.NextBlock()) {
      for (size_t i = 0; i < cursor.block_left(); ++i)
        postings_.emplace_back(cursor.block_docs()[i], expanded.weight * cursor.block_tfs()[i]);
    }
  }
  std::stable_sort(postings_.begin(), postings_.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  size_t kept = 0;
  for (size_t i = 0; i < postings_.size(); ++i) {
    if (kept > 0 && postings_[kept - 1].first == postings_[i].first) {
      postings_[kept - 1].second += postings_[i].second;
    } else {
      postings_[kept++] = postings_[i];
    }
  }
  postings_.resize(kept);
  idf_ = context_.scorer->Idf(df_);
  weight_ = Capped(context_.boost * idf_);
  Move(0);
}

void ExpansionMatcher::Advance(DocId target) {
  const auto from = postings_.begin() + static_cast<std::ptrdiff_t>(at_);
  const auto found = std::lower_bound(from, postings_.end(), target,
                                      [](const auto& posting, DocId wanted) { return posting.first < wanted; });
  Move(static_cast<size_t>(found - postings_.begin()));
}

void ExpansionMatcher::Explain(std::vector<LeafScore>* out) {
  out->push_back(context_.Describe(kind_, text_, postings_[at_].second, df_, idf_, doc_));
}

}  // namespace freshdex::score
