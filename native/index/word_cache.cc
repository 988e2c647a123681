#include "native/index/word_cache.h"

#include <cstring>
#include <utility>

namespace freshdex::index {

TermId WordCache::Find(FieldId field, bool is_to_be_stemmed, std::string_view word, uint64_t hash) const {
  if (sets_.empty() || word.size() > kMaxBytes) return kNoTerm;
  const Set& set = sets_[PlaceOf(hash)];
  const auto upper = static_cast<uint32_t>(hash >> 32);
  const uint8_t kind = KindOf(field, is_to_be_stemmed);
  for (size_t at = 0; at < 2; ++at) {
    const Entry& entry = set.entries[at];
    if (entry.hash != upper || entry.kind != kind || entry.length != word.size() ||
        std::memcmp(entry.bytes, word.data(), word.size()) != 0)
      continue;
    const TermId term = entry.term;
    if (at == 1) std::swap(set.entries[0], set.entries[1]);
    return term;
  }
  return kNoTerm;
}

void WordCache::Put(FieldId field, bool is_to_be_stemmed, std::string_view word, uint64_t hash, TermId term) {
  if (word.size() > kMaxBytes) return;
  if (sets_.empty()) sets_.resize(kSets);
  Entry& entry = sets_[PlaceOf(hash)].entries[1];
  entry = Entry{
      term, static_cast<uint32_t>(hash >> 32), KindOf(field, is_to_be_stemmed), static_cast<uint8_t>(word.size()), {}};
  std::memcpy(entry.bytes, word.data(), word.size());
}

}  // namespace freshdex::index
