// Compares a document's new text with its forward record and yields the posting deltas between the two, tokenising only
// the chunks that the old version does not have.
//
// Chunks are matched by hash, field by field, as a multiset: common prefix and suffix first, then the rest in any
// order. A term's frequency is a property of the bag of tokens, so the difference of the bags gives the exact
// difference of the frequencies, whatever moved.
//
// Cost: O(bytes) hashing + O(changed tokens) tokenising + O(tokens of the old version) to count the touched terms.
#pragma once

#include <cassert>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "native/analysis/analyzer.h"
#include "native/analysis/token_list.h"
#include "native/base/status.h"
#include "native/index/batch_terms.h"
#include "native/index/chunker.h"
#include "native/index/forward_record.h"
#include "native/index/ids.h"
#include "native/index/word_cache.h"

namespace freshdex::index {

// Who makes an index's tokens: an analyzer of the core, or (kTokens) the caller. The TypeScript side and the catalog
// know the numbers: do not renumber.
enum class AnalysisKind : uint8_t {
  kStandard = 0,
  kEnglish = 1,
  kTokens = 2,
  kStandardFolding = 3,
  kEnglishFolding = 4
};

// REQUIRES: not kTokens, for which the core has no analyzer.
constexpr analysis::Preset PresetOf(AnalysisKind kind) {
  assert(kind != AnalysisKind::kTokens);
  return static_cast<analysis::Preset>(kind);
}

// The analysis of each field.
class AnalysisKinds {
 public:
  // The same for all fields, however many.
  AnalysisKinds(AnalysisKind all) : others_(all) {}
  explicit AnalysisKinds(std::vector<AnalysisKind> by_field)
      : by_field_(std::move(by_field)), others_(by_field_.empty() ? AnalysisKind::kStandard : by_field_.front()) {}

  AnalysisKind operator[](size_t field) const { return field < by_field_.size() ? by_field_[field] : others_; }

 private:
  std::vector<AnalysisKind> by_field_;
  AnalysisKind others_;
};

struct FieldInput {
  bool is_tokens = false;  // a sequence of {u16 length, bytes} instead of text
  std::string_view bytes;
  bool is_kept = false;  // what the old version has, nothing if there is none; no bytes are given
};

struct DiffOutcome {
  std::string forward;  // the new record
  std::string pieces;   // how it is made from the old one: see delta_row.h; empty unless wanted
  uint64_t tokens = 0;  // of the new version
  uint64_t tokens_tokenized = 0;
  uint64_t tokens_truncated = 0;
  bool is_rewritten = false;  // most of the page was new: compared as a whole
};

// How often a document has a term that somebody follows, before and after.
struct FollowedTerm {
  uint32_t place;  // as it was given to Follow()
  uint16_t before;
  uint16_t after;
};

// All that a document has of terms that somebody follows.
struct FollowedTerms {
  std::span<const FollowedTerm> touched;  // terms whose tokens came or went, each once; both counts may be 0
  std::span<const uint32_t> kept;         // the places of all tokens of other terms: not counted, because that can wait
};

class DocumentDiffer {
 public:
  // `wants_pieces`: outcomes say how a record is made from the one before, for the log.
  DocumentDiffer(AnalysisKinds analysis, size_t fields, uint64_t seed, bool wants_pieces)
      : analysis_(std::move(analysis)), fields_(fields), seed_(seed), wants_pieces_(wants_pieces) {}

  // Of the fields that are given. Those that are kept are left out.
  uint64_t TextHash(std::span<const FieldInput> input) const;

  // Appends the deltas from `old` (none: a new document) to `input`, in no particular order of terms.
  // REQUIRES: input.size() == fields, old is well formed and has as many fields. Fails only with kTooManyTerms.
  Status Diff(DocId doc, const std::optional<ForwardView>& old, std::span<const FieldInput> input, uint64_t text_hash,
              BatchTerms* terms, std::vector<PostingDelta>* deltas, DiffOutcome* outcome);

  // The same from the pieces of an earlier outcome, without any text. kCorrupt when they do not fit the old record, or
  // name a term that is not one of `terms` in the piece's field.
  Status Replay(DocId doc, const std::optional<ForwardView>& old, std::string_view pieces, uint64_t text_hash,
                const BatchTerms& terms, std::vector<PostingDelta>* deltas, DiffOutcome* outcome);

  // Of the last Diff() or Replay(): the old chunk, plus 1, that is a chunk of the new version, or 0.
  uint32_t KeptChunk(size_t field, size_t chunk) const { return chunks_[field].new_chunks[chunk].old_plus_1; }

  // Appends the deltas that take all postings of `old` away.
  void Remove(DocId doc, const ForwardView& old, std::vector<PostingDelta>* deltas);

  // From now on followed() has this term, whenever a document has it before or after, changed or not. Counting the old
  // version visits all its tokens anyway, which makes this cheaper than another walk. REQUIRES: place < kMaxFollowed,
  // each place given once.
  void Follow(TermId term, uint32_t place);
  void Unfollow(TermId term);
  // Lets go of what terms from this number on take: there are none. REQUIRES: none of them is followed.
  void ForgetTermsFrom(TermId term) noexcept;
  static constexpr uint32_t kMaxFollowed = 1u << 30;
  // The followed terms that the last Diff(), Replay() or Remove() met; valid until the next. None when the text has the
  // same tokens as before: then nothing was looked at.
  std::optional<FollowedTerms> followed() const {
    if (!has_followed_) return std::nullopt;
    return FollowedTerms{followed_touched_, std::span(followed_kept_).first(followed_kept_count_)};
  }

 private:
  struct TouchedTerm {
    TermId term;
    uint32_t old_count;
    uint32_t removed;
    uint32_t added;
    uint32_t untouched_slot;  // what stands in touched_slot_ otherwise
  };
  struct OldChunk {
    uint64_t hash;
    std::string_view codes;
    bool is_kept;
  };
  struct NewChunk {
    Chunk chunk;          // its bytes are codes, not text, when it comes from the log
    uint32_t old_plus_1;  // the old chunk with the same hash, or 0
    bool has_codes = false;
  };
  struct FieldChunks {
    std::vector<OldChunk> old_chunks;
    std::vector<NewChunk> new_chunks;
  };

  void LoadOldChunks(const std::optional<ForwardView>& old);
  void CutNewChunks(std::span<const FieldInput> input);
  void KeepChunks(FieldChunks* field);
  bool ReadPieces(std::string_view pieces, const BatchTerms& terms);
  void WritePieces(const FieldChunks& chunks, size_t at, std::string* pieces) const;
  Status Finish(DocId doc, const std::optional<ForwardView>& old, std::span<const FieldInput> input, uint64_t text_hash,
                BatchTerms* terms, std::vector<PostingDelta>* deltas, DiffOutcome* outcome);
  void MatchChunks(FieldChunks* field);
  void MatchRest(FieldChunks* field, size_t prefix, size_t suffix);
  bool IsMostlyNew() const;
  Status BuildField(FieldId field, bool is_tokens, uint32_t old_tokens, BatchTerms* terms, DiffOutcome* outcome);
  void LookUpWords(FieldId field, const BatchTerms& terms);
  TermId TermOfWord(FieldId field, const analysis::TokenList::Token& token, uint64_t hash, BatchTerms* terms);
  Status TokenizeChunk(FieldId field, bool is_tokens, std::string_view bytes, BatchTerms* terms, DiffOutcome* outcome);
  uint32_t EmitDeltas(DocId doc, std::vector<PostingDelta>* deltas, uint32_t old_distinct);
  TouchedTerm& Touch(TermId term);
  uint32_t& SlotOf(Symbol symbol);
  void CountOld(const ForwardView& old);
  void ClearTouched();

  const AnalysisKinds analysis_;
  const size_t fields_;
  const uint64_t seed_;
  const bool wants_pieces_;

  // Scratch, empty between calls but for capacity.
  std::vector<FieldChunks> chunks_;
  std::vector<Chunk> cut_;
  // By symbol: index + 1 into touched_, or kFollowed + place for a followed term that is not touched, or 0, as for
  // holes: looking a symbol up takes no branch for them. As long as the dictionary.
  static constexpr uint32_t kFollowed = 1u << 31;
  std::vector<uint32_t> touched_slot_;
  std::vector<TouchedTerm> touched_;
  std::vector<FollowedTerm> followed_touched_;
  std::vector<uint32_t> followed_kept_;  // longer than what it holds
  size_t followed_kept_count_ = 0;
  bool has_followed_ = false;
  std::vector<uint32_t> bucket_;     // chunk hash -> first old chunk + 1
  std::vector<uint32_t> next_same_;  // old chunk -> next old chunk + 1 of the same hash
  analysis::TokenList tokens_;
  std::vector<uint64_t> hashes_;   // of these
  std::vector<TermId> known_;      // of these, where they are in words_
  std::vector<uint64_t> unknown_;  // the hashes of the others
  WordCache words_;
  const TermDict* words_of_ = nullptr;  // the dictionary that words_ knows
  std::string codes_;                   // of the chunk last tokenised
  uint32_t added_tokens_ = 0;           // of the chunk last tokenised
  ForwardBuilder builder_;
};

}  // namespace freshdex::index
