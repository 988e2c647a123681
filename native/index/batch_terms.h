// The dictionary as a batch sees it: the published terms and spellings and, behind them, those the batch adds. Nothing
// is added to the published tables before the batch is.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "native/index/ids.h"
#include "native/index/spelling_table.h"
#include "native/index/term_dict.h"

namespace freshdex::index {

class BatchTerms {
 public:
  BatchTerms(const TermDict& published, const SpellingTable& spellings, uint64_t seed)
      : published_(published), spellings_(spellings), added_(seed), base_(published.size()) {}

  // The term of a token. kNoTerm when the index has no room for another term.
  TermId FindOrAdd(FieldId field, std::string_view bytes, bool is_spelt_as_is = true) {
    return FindOrAdd(field, bytes, is_spelt_as_is, published_.Hash(field, bytes));
  }
  TermId FindOrAdd(FieldId field, std::string_view bytes, bool is_spelt_as_is, uint64_t hash);
  // The term of a word that is to be stemmed, also where it is not known yet. kNoTerm as above.
  TermId FindOrAddWord(FieldId field, std::string_view word) { return FindOrAddWord(field, word, Hash(field, word)); }
  TermId FindOrAddWord(FieldId field, std::string_view word, uint64_t hash);
  // The same of published terms and spellings alone, which say it for as long as they live. kNoTerm when absent.
  TermId FindPublished(FieldId field, std::string_view bytes, uint64_t hash) const {
    return published_.FindAsWriter(field, bytes, hash);
  }
  TermId FindPublishedWord(FieldId field, std::string_view word, uint64_t hash) const;
  // What all of these take.
  uint64_t Hash(FieldId field, std::string_view bytes) const { return published_.Hash(field, bytes); }
  // Words that are looked up next: much of what a lookup takes is waiting for memory.
  void Prefetch(std::span<const uint64_t> hashes) const;

  // For a row of the log or a salvage, which know the spellings: a term, spelt as it is or not, and a spelling of its
  // own. Both return false when it is there already, or when there is no room.
  bool AddTerm(FieldId field, std::string_view bytes, bool is_spelt_as_is);
  // REQUIRES: term < size().
  bool AddSpelling(TermId term, std::string_view bytes);

  const TermDict& published() const { return published_; }
  size_t published_size() const { return base_; }
  size_t size() const { return base_ + added_.size(); }
  // REQUIRES: term < size().
  FieldId FieldOf(TermId term) const {
    return term < base_ ? published_.FieldOf(term) : added_.FieldOf(static_cast<TermId>(term - base_));
  }
  const TermDict& added() const { return added_; }
  // See TermDict.
  bool has_identities() const { return published_.has_identities(); }
  uint32_t IdentityOf(TermId term) const {
    return term < base_ ? published_.IdentityOf(term)
                        : static_cast<uint32_t>(published_.next_identity() + (term - base_));
  }
  // Has the added terms, numbered as in added(), and the added spellings, whose terms have the numbers they will keep.
  const SpellingTable& added_spellings() const { return added_spellings_; }

 private:
  TermId FindSpelt(FieldId field, std::string_view word, uint64_t hash) const;
  TermId AddWord(FieldId field, std::string_view word, uint64_t hash);

  const TermDict& published_;
  const SpellingTable& spellings_;
  TermDict added_;
  SpellingTable added_spellings_;
  size_t base_;
};

}  // namespace freshdex::index
