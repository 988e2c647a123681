#include "native/index/phrase_choice.h"

#include <algorithm>
#include <bit>
#include <unordered_map>
#include <vector>

namespace freshdex::index {
namespace {

constexpr uint64_t kDocumentsPerWrite = 5;  // a choice is due when one in so many documents was written since
constexpr size_t kMinCells = 1u << 12, kMaxCells = 1u << 22;
// A bucket is meant to have about so many documents: few enough to look through, many enough to pack well.
constexpr uint64_t kBucketDocuments = 1024;
constexpr uint32_t kMinBuckets = 16, kMaxChosenBuckets = 1u << 16;

uint64_t KeyOf(TermId first, TermId second) { return static_cast<uint64_t>(first) << 32 | second; }

// Counts documents: each once, however often it is named in a row.
struct DocumentCount {
  DocId last = kNoDoc;
  uint32_t documents = 0;

  void Add(DocId doc) {
    documents += last != doc;
    last = doc;
  }
};

class Chooser {
 public:
  Chooser(const Snapshot& snapshot, const PhraseLimits& limits)
      : snapshot_(snapshot),
        pair_pages_(limits.PairPages(snapshot.documents)),
        triple_pages_(limits.TriplePages(snapshot.documents)),
        frequent_pages_(limits.FrequentPages(snapshot.documents)),
        can_pair_(snapshot.term_count, false) {}

  std::shared_ptr<const PhraseRegistry> Choose() {
    if (!FindWords()) return nullptr;
    CountCells();
    CountPairs();
    if (!CountTriplesAndRest()) return nullptr;
    RegistryHead head;
    head.sequence = snapshot_.sequence;
    head.documents = snapshot_.documents;
    head.term_count = snapshot_.term_count;
    head.buckets = static_cast<uint32_t>(
        std::clamp<uint64_t>(std::bit_ceil(bucketed_ / kBucketDocuments + 1), kMinBuckets, kMaxChosenBuckets));
    std::sort(registered_.begin(), registered_.end());
    auto registry = PhraseRegistry::Make(head, std::move(frequent_), std::move(registered_));
    return registry.ok() ? registry.value() : nullptr;
  }

 private:
  bool FindWords() {
    bool has_any = false;
    for (TermId term = 0; term < snapshot_.term_count; ++term) {
      const uint32_t df = snapshot_.DocumentFrequency(term);
      can_pair_[term] = df >= pair_pages_;
      if (df >= frequent_pages_) frequent_.push_back(term);
      has_any = has_any || can_pair_[term];
    }
    return has_any;
  }

  // Calls visit(doc, first, second) for neighbours that are both in enough documents.
  template <typename Visit>
  void VisitPairs(Visit visit) const {
    VisitFields(snapshot_, [&](DocId doc, std::string_view codes) {
      TermId before = kNoTerm;
      VisitSymbols(codes, [&](Symbol symbol) {
        const TermId term = TermOf(symbol);
        const bool can = !IsHole(symbol) && term < can_pair_.size() && can_pair_[term];
        if (can && before != kNoTerm) visit(doc, before, term);
        before = can ? term : kNoTerm;
      });
    });
  }

  size_t CellOf(TermId first, TermId second) const {
    return KeyOf(first, second) * 0x9E3779B97F4A7C15ULL >> 32 & (cells_.size() - 1);
  }

  void CountCells() {
    uint64_t tokens = 0;
    for (const FieldTotals& field : snapshot_.fields) tokens += field.tokens;
    cells_.resize(std::clamp<size_t>(std::bit_ceil(tokens / 8 + 1), kMinCells, kMaxCells));
    VisitPairs([&](DocId doc, TermId first, TermId second) { cells_[CellOf(first, second)].Add(doc); });
  }

  void CountPairs() {
    std::unordered_map<uint64_t, DocumentCount> counts;
    VisitPairs([&](DocId doc, TermId first, TermId second) {
      if (cells_[CellOf(first, second)].documents >= pair_pages_) counts[KeyOf(first, second)].Add(doc);
    });
    cells_ = {};
    for (const auto& [key, count] : counts) {
      if (count.documents >= pair_pages_)
        registered_.push_back({static_cast<TermId>(key >> 32), static_cast<TermId>(key), kNoTerm});
    }
    std::sort(registered_.begin(), registered_.end());
    for (const TermSequence& pair : registered_)
      pair_documents_.push_back(counts[KeyOf(pair.first, pair.second)].documents);
  }

  // With one bucket for now: what matters is how many pairs go to buckets at all.
  bool CountTriplesAndRest() {
    RegistryHead head;
    head.term_count = snapshot_.term_count;
    const auto made = PhraseRegistry::Make(head, frequent_, registered_);
    if (!made.ok()) return false;
    const PhraseRegistry& pairs = *made.value();
    std::unordered_map<uint64_t, std::unordered_map<TermId, DocumentCount>> triples;
    VisitFields(snapshot_, [&](DocId doc, std::string_view codes) {
      TermId first = kNoTerm, second = kNoTerm;
      uint64_t documents_before = 0;  // of first and second, if they are a registered pair
      VisitSymbols(codes, [&](Symbol symbol) {
        const TermId term = IsHole(symbol) ? kNoTerm : TermOf(symbol);
        const ListId list = pairs.ListOf(second, term);
        const bool is_registered = list != kNoList && !pairs.IsBucket(list);
        bucketed_ += list != kNoList && !is_registered;
        const uint64_t documents = is_registered ? pair_documents_[list - head.buckets] : 0;
        if (documents >= triple_pages_ && documents_before >= triple_pages_)
          triples[KeyOf(first, second)][term].Add(doc);
        first = second;
        second = term;
        documents_before = documents;
      });
    });
    for (const auto& [key, thirds] : triples) {
      for (const auto& [third, count] : thirds) {
        if (count.documents >= triple_pages_)
          registered_.push_back({static_cast<TermId>(key >> 32), static_cast<TermId>(key), third});
      }
    }
    return true;
  }

  const Snapshot& snapshot_;
  const uint64_t pair_pages_;
  const uint64_t triple_pages_;
  const uint64_t frequent_pages_;
  std::vector<bool> can_pair_;  // by term: in as many documents as a registered pair
  std::vector<TermId> frequent_;
  std::vector<DocumentCount> cells_;
  std::vector<uint64_t> pair_documents_;  // by registered pair
  std::vector<TermSequence> registered_;
  uint64_t bucketed_ = 0;  // places of pairs that go to buckets
};

uint64_t SequenceOf(const Snapshot& snapshot, DocId doc) {
  const DocRecord* record = snapshot.records[doc].get();
  return record ? record->sequence : snapshot.table->entry(doc).sequence;
}

}  // namespace

bool IsChoiceDue(const Snapshot& snapshot, const PhraseLimits& limits) {
  const PhraseRegistry* registry = snapshot.phrases.registry.get();
  if (!registry) return snapshot.documents >= limits.least_pages;
  const RegistryHead& head = registry->head();
  uint64_t written = head.documents > snapshot.documents ? head.documents - snapshot.documents : 0;
  for (DocId doc = 0; doc < snapshot.doc_limit; ++doc)
    written += snapshot.IsVisible(doc) && SequenceOf(snapshot, doc) > head.sequence;
  return written > 0 && written * kDocumentsPerWrite >= snapshot.documents;
}

std::shared_ptr<const PhraseRegistry> ChoosePhrases(const Snapshot& snapshot, const PhraseLimits& limits) {
  return Chooser(snapshot, limits).Choose();
}

}  // namespace freshdex::index
