#include "native/index/phrase_registry.h"

#include <algorithm>
#include <bit>

namespace freshdex::index {
namespace {

namespace registry_section {
constexpr uint32_t kHead = 1, kFrequent = 2, kRegistered = 3;
}

}  // namespace

Result<std::shared_ptr<const PhraseRegistry>> PhraseRegistry::Make(const RegistryHead& head,
                                                                   std::vector<TermId> frequent,
                                                                   std::vector<TermSequence> registered) {
  auto registry = std::make_shared<PhraseRegistry>();
  registry->head_ = head;
  registry->frequent_ = std::move(frequent);
  registry->registered_ = std::move(registered);
  if (!registry->Index()) return Status(Code::kCorrupt, "a registry of phrases makes no sense");
  return std::shared_ptr<const PhraseRegistry>(std::move(registry));
}

Result<std::shared_ptr<const PhraseRegistry>> PhraseRegistry::Open(std::shared_ptr<const SegmentFile> segment) {
  Status status = segment->VerifyAll();
  if (!status.ok()) return status;
  const auto heads = segment->Array<RegistryHead>(registry_section::kHead);
  if (heads.size() != 1) return segment->Corrupt(0, "no head of a registry of phrases");
  auto registry = std::make_shared<PhraseRegistry>();
  registry->head_ = heads.front();
  const auto frequent = segment->Array<TermId>(registry_section::kFrequent);
  const auto registered = segment->Array<TermSequence>(registry_section::kRegistered);
  registry->frequent_.assign(frequent.begin(), frequent.end());
  registry->registered_.assign(registered.begin(), registered.end());
  if (!registry->Index()) return segment->Corrupt(0, "a registry of phrases makes no sense");
  registry->segment_ = std::move(segment);
  return std::shared_ptr<const PhraseRegistry>(std::move(registry));
}

void PhraseRegistry::AddTo(SegmentWriter* writer) const {
  writer->AddArray(registry_section::kHead, std::span(&head_, 1));
  writer->AddArray(registry_section::kFrequent, std::span(frequent_));
  writer->AddArray(registry_section::kRegistered, std::span(registered_));
}

// Makes what lookups need; false when the parts do not fit together.
bool PhraseRegistry::Index() {
  const auto ascends = [](const auto& values) {
    return std::adjacent_find(values.begin(), values.end(), [](const auto& a, const auto& b) { return b <= a; }) ==
           values.end();
  };
  if (!std::has_single_bit(head_.buckets) || head_.buckets > kMaxBuckets || head_.term_count > kMaxTerms ||
      registered_.size() > kMaxTerms || !ascends(frequent_) || !ascends(registered_))
    return false;
  flags_.assign(head_.term_count, 0);
  for (TermId term : frequent_) {
    if (term >= head_.term_count) return false;
    flags_[term] |= kFrequent;
  }
  table_.assign(std::bit_ceil(4 * (registered_.size() + 1)), 0);
  const size_t mask = table_.size() - 1;
  for (size_t i = 0; i < registered_.size(); ++i) {
    const TermSequence& sequence = registered_[i];
    const bool is_pair = sequence.third == kNoTerm;
    if (sequence.first >= head_.term_count || sequence.second >= head_.term_count ||
        (!is_pair && sequence.third >= head_.term_count))
      return false;
    if (is_pair) {
      flags_[sequence.first] |= kBegins;
      flags_[sequence.second] |= kEnds;
    }
    size_t at = HashOf(sequence) >> 32 & mask;
    while (table_[at] != 0) at = (at + 1) & mask;
    table_[at] = static_cast<uint32_t>(i + 1);
  }
  return std::all_of(registered_.begin(), registered_.end(), [&](const TermSequence& sequence) {
    return sequence.third == kNoTerm || (Registered({sequence.first, sequence.second, kNoTerm}) != kNoList &&
                                         Registered({sequence.second, sequence.third, kNoTerm}) != kNoList);
  });
}

ListId PhraseRegistry::Registered(const TermSequence& sequence) const {
  const size_t mask = table_.size() - 1;
  for (size_t at = HashOf(sequence) >> 32 & mask; table_[at] != 0; at = (at + 1) & mask) {
    if (registered_[table_[at] - 1] == sequence) return head_.buckets + table_[at] - 1;
  }
  return kNoList;
}

size_t PhraseRegistry::MemoryBytes() const {
  return frequent_.capacity() * sizeof(TermId) + registered_.capacity() * sizeof(TermSequence) + flags_.capacity() +
         table_.capacity() * sizeof(uint32_t);
}

}  // namespace freshdex::index
