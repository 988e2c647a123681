#include "native/index/document_table_builder.h"

#include <algorithm>
#include <iterator>

#include "native/index/code_packing.h"
#include "native/index/forward_record.h"
#include "native/index/front_coding.h"
#include "native/index/packed_numbers.h"
#include "native/index/packed_pieces.h"

namespace freshdex::index {
namespace {

// Entries count records in these.
constexpr uint64_t kRecordAlignment = 8;

uint64_t Padded(uint64_t bytes) { return (bytes + kRecordAlignment - 1) / kRecordAlignment * kRecordAlignment; }

}  // namespace

DocumentTableBuilder::DocumentTableBuilder(const Snapshot& snapshot, bool tidies, bool packs)
    : snapshot_(snapshot), tidies_(tidies), packs_(packs), entries_(snapshot.doc_limit) {
  ChooseSegments();
  for (DocId doc = 0; doc < snapshot_.doc_limit; ++doc) {
    if (!snapshot_.IsVisible(doc)) continue;
    if (!snapshot_.records[doc]) {
      DocEntry& entry = entries_[doc];
      entry = snapshot_.table->entry(doc);
      entry.segment_plus_1 = renumbered_[entry.segment_plus_1 - 1];
      if (entry.segment_plus_1 != 0) continue;
    }
    moved_.push_back(doc);
  }
}

// What the new table still refers to, by older records segment.
std::vector<uint64_t> DocumentTableBuilder::LiveBytes(const Snapshot& snapshot) {
  std::vector<uint64_t> live(snapshot.table->record_segments().size(), 0);
  for (DocId doc = 0; doc < snapshot.doc_limit; ++doc) {
    if (snapshot.records[doc] || !snapshot.table->Has(doc)) continue;
    const DocEntry entry = snapshot.table->entry(doc);
    live[entry.segment_plus_1 - 1] += Padded(uint64_t{entry.forward_bytes} + entry.stored_bytes + entry.value_bytes);
  }
  return live;
}

size_t DocumentTableBuilder::UntidySegment(const Snapshot& snapshot, const std::vector<uint64_t>& live) {
  const auto& segments = snapshot.table->record_segments();
  size_t untidy = segments.size();
  double largest = kTidyDeadShare;
  for (size_t i = 0; i < segments.size(); ++i) {
    const double bytes = static_cast<double>(segments[i]->Section(kRecordsSection).size());
    const double dead = 1 - static_cast<double>(live[i]) / std::max(bytes, 1.0);
    if (dead <= largest) continue;
    largest = dead;
    untidy = i;
  }
  return untidy;
}

bool DocumentTableBuilder::IsUntidy(const Snapshot& snapshot, bool packs) {
  if (!snapshot.table) return false;
  const auto& segments = snapshot.table->record_segments();
  return !std::ranges::all_of(segments, [&](const auto& segment) { return IsPacked(*segment) == packs; }) ||
         UntidySegment(snapshot, LiveBytes(snapshot)) < segments.size();
}

void DocumentTableBuilder::ChooseSegments() {
  if (!snapshot_.table) return;
  const auto& old = snapshot_.table->record_segments();
  const std::vector<uint64_t> live = LiveBytes(snapshot_);
  const size_t untidy = tidies_ ? UntidySegment(snapshot_, live) : old.size();
  const auto bytes = [&](size_t i) { return old[i]->Section(kRecordsSection).size(); };
  std::vector<bool> moves(old.size());
  for (size_t i = 0, moved = 0; i < old.size(); ++i) {
    moves[i] = i == untidy || live[i] == 0 || live[i] * 2 < bytes(i);
    if (moves[i] || !tidies_ || IsPacked(*old[i]) == packs_ || moved >= kPackedAtOnce) continue;
    moves[i] = true;
    moved += bytes(i);
  }
  const auto is_worth_keeping = [&](size_t i) { return !moves[i]; };
  size_t small = 0;
  for (size_t i = 0; i < old.size(); ++i) small += is_worth_keeping(i) && bytes(i) < kSmallSegmentBytes;
  renumbered_.assign(old.size(), 0);
  for (size_t i = 0; i < old.size(); ++i) {
    if (!is_worth_keeping(i) || (small > kMaxSmallSegments && bytes(i) < kSmallSegmentBytes)) continue;
    kept_.push_back(old[i]);
    renumbered_[i] = static_cast<uint32_t>(kept_.size());
  }
  segments_ = kept_;
}

bool DocumentTableBuilder::Gather() {
  records_.clear();
  dictionary_.clear();
  chosen_.clear();
  if (tidies_ && packs_) {
    AppendPacked();
  } else {
    AppendAsTheyAre();
  }
  return !records_.empty();
}

void DocumentTableBuilder::AppendAsTheyAre() {
  for (; gathered_ < moved_.size(); ++gathered_) {
    const auto record = snapshot_.Record(moved_[gathered_]);
    if (record) Append(moved_[gathered_], record->forward, *record);
  }
}

// Records are read twice: for the dictionary, and to be packed.
void DocumentTableBuilder::AppendPacked() {
  size_t bytes = 0;
  for (; gathered_ < moved_.size() && bytes < kPackedTogether; ++gathered_) {
    const auto record = snapshot_.Record(moved_[gathered_]);
    if (!record) continue;
    bytes += record->forward.size();
    chosen_.push_back(moved_[gathered_]);
  }
  const size_t step = bytes / kSampledBytes + 1;
  std::vector<RecordView> sampled;
  std::vector<std::string_view> codes;
  size_t code_bytes = 0;
  for (size_t i = 0; i < chosen_.size(); i += step) {
    auto record = snapshot_.Record(chosen_[i]);
    if (!record) continue;
    sampled.push_back(std::move(*record));
    codes.push_back(ForwardView(sampled.back().forward).codes());
    code_bytes += codes.back().size();
  }
  const std::string dictionary =
      ChooseDictionary(codes, std::min(kMostDictionaryBytes, code_bytes / kLeastPerDictionaryByte));
  CodePacker packer(dictionary);
  std::string forward;
  for (const DocId doc : chosen_) {
    const auto record = snapshot_.Record(doc);
    if (!record) continue;
    const std::string_view of_doc = ForwardView(record->forward).codes();
    forward.assign(record->forward, 0, record->forward.size() - of_doc.size());
    packer.Pack(of_doc, &forward);
    Append(doc, forward.size() < record->forward.size() ? std::string_view(forward) : record->forward, *record);
  }
  dictionary_ = dictionary + std::string(kPackedSlack, '\0');
}

void DocumentTableBuilder::Append(DocId doc, std::string_view forward, const RecordView& record) {
  DocEntry& entry = entries_[doc];
  entry.offset = records_.size();
  entry.forward_bytes = static_cast<uint32_t>(forward.size());
  entry.stored_bytes = static_cast<uint32_t>(record.stored.size());
  entry.value_bytes = static_cast<uint32_t>(record.values.size());
  entry.segment_plus_1 = static_cast<uint32_t>(segments_.size() + 1);
  entry.weight = record.weight;
  entry.sequence = record.sequence;
  records_.append(forward).append(record.stored).append(record.values);
  records_.resize(Padded(records_.size()), '\0');
}

void DocumentTableBuilder::AddRecordsTo(SegmentWriter* writer) const {
  writer->Add(kRecordsSection, records_);
  if (!dictionary_.empty()) writer->Add(kDictionarySection, dictionary_);
}

void DocumentTableBuilder::AddTo(SegmentWriter* writer) const {
  const TableHead head{snapshot_.sequence,      snapshot_.doc_limit,    snapshot_.documents,  snapshot_.postings,
                       snapshot_.forward_bytes, snapshot_.stored_bytes, snapshot_.value_bytes};
  writer->AddArray(table_section::kHead, std::span(&head, 1));
  std::vector<PackedEntries::Row> packed;
  packed.reserve(entries_.size());
  std::vector<double> weights;
  std::vector<uint32_t> value_bytes;
  bool has_weights = false, has_values = false;
  for (const DocEntry& entry : entries_) {
    const uint64_t behind = entry.segment_plus_1 == 0 ? 0 : snapshot_.sequence - entry.sequence;
    packed.push_back({static_cast<uint32_t>(entry.offset / kRecordAlignment), entry.forward_bytes, entry.stored_bytes,
                      entry.segment_plus_1, static_cast<uint32_t>(std::min<uint64_t>(behind, UINT32_MAX))});
    weights.push_back(entry.weight);
    value_bytes.push_back(entry.value_bytes);
    has_weights = has_weights || entry.weight != 0;
    has_values = has_values || entry.value_bytes != 0;
  }
  writer->Add(table_section::kEntries, PackedEntries::Pack(packed));
  if (has_weights) writer->AddArray(table_section::kWeights, std::span<const double>(weights));
  if (has_values) writer->AddArray(table_section::kValueBytes, std::span<const uint32_t>(value_bytes));
  writer->AddArray(table_section::kTotals, std::span<const FieldTotals>(snapshot_.fields));
  std::vector<uint64_t> numbers;
  for (const auto& segment : segments_) numbers.push_back(segment->name().number);
  writer->AddArray(table_section::kRecordSegments, std::span<const uint64_t>(numbers));

  std::string norms;
  for (const NormTable& table : snapshot_.norms) {
    for (DocId doc = 0; doc < snapshot_.doc_limit; ++doc) norms.push_back(static_cast<char>(table[doc]));
    norms.resize(
        (norms.size() + NormTable::kElementsPerPage - 1) / NormTable::kElementsPerPage * NormTable::kElementsPerPage,
        '\0');
  }
  writer->Add(table_section::kNorms, norms);

  const std::vector<DocId> by_key = DocsByKey();
  FrontEncoder keys;
  for (const DocId doc : by_key) keys.Add(snapshot_.vocabulary->keys.KeyOf(doc));
  writer->Add(table_section::kKeys, PackPieces(keys.bytes()));
  writer->Add(table_section::kKeyDocs, PackNumbers(by_key, snapshot_.doc_limit));
}

// The visible documents in order of their keys. Those that the old table has, and no batch touched since, are in order
// there already.
std::vector<DocId> DocumentTableBuilder::DocsByKey() const {
  const KeyTable& keys = snapshot_.vocabulary->keys;
  const auto is_before = [&](DocId a, DocId b) { return keys.KeyOf(a) < keys.KeyOf(b); };
  const auto is_as_it_was = [&](DocId doc) {
    return snapshot_.table && snapshot_.table->Has(doc) && !snapshot_.records[doc];
  };
  std::vector<DocId> old, others, merged;
  if (snapshot_.table) old = snapshot_.table->DocsByKey();
  std::erase_if(old, [&](DocId doc) { return !is_as_it_was(doc); });
  for (DocId doc = 0; doc < snapshot_.doc_limit; ++doc) {
    if (snapshot_.IsVisible(doc) && !is_as_it_was(doc)) others.push_back(doc);
  }
  std::ranges::sort(others, is_before);
  merged.reserve(old.size() + others.size());
  std::ranges::merge(old, others, std::back_inserter(merged), is_before);
  return merged;
}

Result<std::shared_ptr<const SegmentFile>> DocumentTableBuilder::SegmentOf(uint64_t number) const {
  for (const auto& segment : segments_) {
    if (segment->name().number == number) return segment;
  }
  return Status(Code::kInternal, "a records segment got lost");
}

}  // namespace freshdex::index
