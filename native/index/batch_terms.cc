#include "native/index/batch_terms.h"

#include "native/analysis/analyzer.h"

namespace freshdex::index {

TermId BatchTerms::FindOrAdd(FieldId field, std::string_view bytes, bool is_spelt_as_is, uint64_t hash) {
  TermId term = published_.FindAsWriter(field, bytes, hash);
  if (term != kNoTerm) return term;
  term = added_.FindAsWriter(field, bytes, hash);
  if (term == kNoTerm) {
    if (base_ + added_.size() >= kMaxTerms) return kNoTerm;
    term = added_.Add(field, bytes, hash);
    added_spellings_.AddTerm(is_spelt_as_is);
  }
  return static_cast<TermId>(base_ + term);
}

// Spellings come first: they are few, so that looking for one that is not there takes little, and half of the words
// of a text are found.
TermId BatchTerms::FindPublishedWord(FieldId field, std::string_view word, uint64_t hash) const {
  const SpellingId spelling = spellings_.Find(field, word, hash);
  if (spelling != kNoSpelling) return spellings_.TermOf(spelling);
  const TermId term = published_.FindAsWriter(field, word, hash);
  return term != kNoTerm && spellings_.IsSpeltAsIs(term) ? term : kNoTerm;
}

TermId BatchTerms::FindSpelt(FieldId field, std::string_view word, uint64_t hash) const {
  TermId term = FindPublishedWord(field, word, hash);
  if (term != kNoTerm) return term;
  const SpellingId spelling = added_spellings_.Find(field, word, hash);
  if (spelling != kNoSpelling) return added_spellings_.TermOf(spelling);
  term = added_.FindAsWriter(field, word, hash);
  if (term != kNoTerm && added_spellings_.IsSpeltAsIs(term)) return static_cast<TermId>(base_ + term);
  return kNoTerm;
}

void BatchTerms::Prefetch(std::span<const uint64_t> hashes) const {
  for (const uint64_t hash : hashes) {
    spellings_.PrefetchSlot(hash);
    published_.PrefetchSlot(hash);
  }
  for (const uint64_t hash : hashes) {
    spellings_.PrefetchEntry(hash);
    published_.PrefetchEntry(hash);
  }
  for (const uint64_t hash : hashes) {
    spellings_.PrefetchText(hash);
    published_.PrefetchText(hash);
  }
}

TermId BatchTerms::FindOrAddWord(FieldId field, std::string_view word, uint64_t hash) {
  const TermId term = FindSpelt(field, word, hash);
  return term == kNoTerm ? AddWord(field, word, hash) : term;
}

TermId BatchTerms::AddWord(FieldId field, std::string_view word, uint64_t hash) {
  const std::string stem = analysis::StemOf(word);
  const bool is_own_stem = stem == word;
  const size_t before = size();
  const TermId term = FindOrAdd(field, stem, is_own_stem, is_own_stem ? hash : published_.Hash(field, stem));
  const bool is_said = is_own_stem && size() > before;
  if (term == kNoTerm || is_said) return term;
  if (spellings_.size() + added_spellings_.size() >= kMaxSpellings) return kNoTerm;
  added_spellings_.Add(field, word, term, hash);
  return term;
}

bool BatchTerms::AddTerm(FieldId field, std::string_view bytes, bool is_spelt_as_is) {
  const size_t before = size();
  return FindOrAdd(field, bytes, is_spelt_as_is, published_.Hash(field, bytes)) != kNoTerm && size() > before;
}

bool BatchTerms::AddSpelling(TermId term, std::string_view bytes) {
  const FieldId field = FieldOf(term);
  const uint64_t hash = published_.Hash(field, bytes);
  if (FindSpelt(field, bytes, hash) != kNoTerm) return false;
  if (spellings_.size() + added_spellings_.size() >= kMaxSpellings) return false;
  added_spellings_.Add(field, bytes, term, hash);
  return true;
}

}  // namespace freshdex::index
