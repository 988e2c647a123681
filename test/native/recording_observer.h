// An observer that adds up the deltas it is told, so that a test can compare the sum with the index.
#pragma once

#include <cstdint>
#include <map>

#include "native/index/length_norm.h"
#include "native/index/posting_observer.h"
#include "native/index/snapshot.h"
#include "native/index/term_dict.h"
#include "test/native/harness.h"
#include "test/native/naive_postings.h"

namespace freshdex::test {

class RecordingObserver final : public index::PostingObserver {
 public:
  void OnDocument(const index::DocumentChange& change) override {
    ++documents_;
    EXPECT(change.before || change.after);
    ExpectNorms(change.before, change.norms_before);
    ExpectNorms(change.after, change.norms_after);
    for (const index::PostingDelta& delta : change.deltas) {
      EXPECT_EQ(delta.doc, change.doc);
      uint32_t& tf = pending_[delta.term][delta.doc];
      EXPECT_EQ(delta.old_tf, tf);
      tf = delta.new_tf;
    }
  }

  void OnPublish() override {
    ++publishes_;
    published_ = pending_;
  }

  void OnDiscard() override {
    ++discards_;
    pending_ = published_;
  }

  // The words that some document has keep their order, and the others are gone.
  void OnRenumber(const index::Snapshot& now) override {
    ++renumberings_;
    EXPECT(pending_ == published_);
    Frequencies renumbered;
    for (auto& [term, docs] : published_) {
      std::erase_if(docs, [](const auto& posting) { return posting.second == 0; });
      if (docs.empty()) continue;
      const auto number = static_cast<index::TermId>(renumbered.size());
      renumbered[number] = std::move(docs);
    }
    EXPECT_EQ(renumbered.size(), now.term_count);
    published_ = std::move(renumbered);
    pending_ = published_;
  }

  uint64_t renumberings() const { return renumberings_; }
  uint64_t documents() const { return documents_; }
  uint64_t publishes() const { return publishes_; }
  uint64_t discards() const { return discards_; }

  // The sum of all published deltas.
  NaivePostings Postings(const index::TermDict& terms) const {
    NaivePostings postings;
    for (const auto& [term, docs] : published_) {
      for (const auto& [doc, tf] : docs) {
        if (tf > 0) postings[NaiveTerm(terms.FieldOf(term), terms.Text(term))][doc] = tf;
      }
    }
    return postings;
  }

 private:
  static void ExpectNorms(const std::optional<index::ForwardView>& record, std::span<const uint8_t> norms) {
    for (size_t f = 0; f < norms.size(); ++f) {
      EXPECT_EQ(norms[f], record ? index::EncodeLength(record->extent(f).tokens) : 0);
    }
    EXPECT(!norms.empty());
    if (record) EXPECT_EQ(norms.size(), record->fields());
  }

  using Frequencies = std::map<index::TermId, std::map<index::DocId, uint32_t>>;

  Frequencies published_;
  Frequencies pending_;
  uint64_t documents_ = 0;
  uint64_t publishes_ = 0;
  uint64_t discards_ = 0;
  uint64_t renumberings_ = 0;
};

}  // namespace freshdex::test
