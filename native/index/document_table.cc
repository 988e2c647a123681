#include "native/index/document_table.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "native/index/code_packing.h"
#include "native/index/forward_record.h"
#include "native/index/front_coding.h"
#include "native/index/packed_numbers.h"
#include "native/index/packed_pieces.h"

namespace freshdex::index {
namespace {

size_t NormBytes(size_t documents) {
  return (documents + NormTable::kElementsPerPage - 1) / NormTable::kElementsPerPage * NormTable::kElementsPerPage;
}

}  // namespace

Status DocumentTable::Load(std::shared_ptr<const SegmentFile> segment, size_t fields, const ColumnKinds& columns) {
  segment_ = std::move(segment);
  Status status = segment_->VerifyAll();
  if (!status.ok()) return status;
  const auto head = segment_->Array<TableHead>(table_section::kHead);
  totals_ = segment_->Array<FieldTotals>(table_section::kTotals);
  record_numbers_ = segment_->Array<uint64_t>(table_section::kRecordSegments);
  norms_ = segment_->Section(table_section::kNorms);
  keys_ = segment_->Section(table_section::kKeys);
  key_docs_ = segment_->Section(table_section::kKeyDocs);
  weights_ = segment_->Array<double>(table_section::kWeights);
  value_bytes_ = segment_->Array<uint32_t>(table_section::kValueBytes);
  column_kinds_ = segment_->Array<ColumnKind>(table_section::kColumnKinds);
  column_pages_ = segment_->Array<PagePlace>(table_section::kColumnPages);
  column_segments_ = segment_->Array<uint64_t>(table_section::kColumnSegments);
  if (head.size() != 1 || head[0].limit > kMaxDocs) return segment_->Corrupt(0, "head of the document table");
  head_ = head.data();
  limit_ = static_cast<DocId>(head_->limit);
  const auto entries = PackedEntries::Of(segment_->Section(table_section::kEntries), limit_);
  if (!entries || totals_.empty() || totals_.size() > fields || (!weights_.empty() && weights_.size() != limit_) ||
      (!value_bytes_.empty() && value_bytes_.size() != limit_) || norms_.size() != totals_.size() * NormBytes(limit_)) {
    return segment_->Corrupt(0, "sections of the document table");
  }
  entries_ = *entries;
  if (!AreColumnsSound(columns)) return segment_->Corrupt(0, "columns of the document table");
  if (!AreKeysSound()) return segment_->Corrupt(0, "keys of the document table");
  for (DocId doc = 0; doc < limit_; ++doc) {
    if (Has(doc) && !IsEntrySound(doc)) return segment_->Corrupt(0, "entry of document " + std::to_string(doc));
  }
  return AreTotalsExact() ? Status() : segment_->Corrupt(0, "totals of the document table");
}

// Whether the columns are the first of the index, each with a place for all its pages.
bool DocumentTable::AreColumnsSound(const ColumnKinds& columns) const {
  const size_t pages = (limit_ + ColumnPage::kDocs - 1) / ColumnPage::kDocs;
  return column_kinds_.size() <= columns.size() &&
         std::ranges::equal(column_kinds_, std::span(columns).first(column_kinds_.size())) &&
         column_pages_.size() == column_kinds_.size() * pages;
}

bool DocumentTable::IsEntrySound(DocId doc) const {
  const double weight = WeightOf(doc);
  return entries_.Get(doc, entry_column::kSegmentPlus1) <= record_numbers_.size() &&
         entries_.Get(doc, entry_column::kBehind) <= head_->sequence && std::isfinite(weight) && weight >= 0;
}

// Whether every visible document has one key, and nobody else has any.
bool DocumentTable::AreKeysSound() const {
  const size_t documents = head_->documents;
  if (documents > limit_ || key_docs_.size() != PackedNumberBytes(documents, limit_)) return false;
  std::vector<bool> has_key(limit_);
  std::string coded;
  if (!UnpackPieces(keys_, &coded)) return false;
  FrontDecoder keys(coded);
  for (const DocId doc : DocsByKey()) {
    if (doc >= limit_ || has_key[doc] || !Has(doc)) return false;
    has_key[doc] = true;
    if (!keys.Next() || keys.string().size() < 2 || keys.string().size() > kMaxKeyBytes) return false;
  }
  return !keys.Next() && keys.ok();
}

std::vector<DocId> DocumentTable::DocsByKey() const { return UnpackNumbers(key_docs_, head_->documents, limit_); }

TableKeys DocumentTable::ReadKeys() const {
  TableKeys keys;
  keys.entries.resize(limit_);
  keys.ascending = DocsByKey();
  keys.memory = std::make_shared<EntryArena>();
  std::string coded;
  UnpackPieces(keys_, &coded);
  FrontDecoder decoder(coded);
  for (const DocId doc : keys.ascending) {
    decoder.Next();
    const auto length = static_cast<uint16_t>(decoder.string().size());
    char* entry = keys.memory->Allocate(sizeof(length) + length);
    std::memcpy(entry, &length, sizeof(length));
    std::memcpy(entry + sizeof(length), decoder.string().data(), length);
    keys.entries[doc] = entry;
  }
  return keys;
}

// Whether the totals agree with the entries and norms, which is as far as the table itself can tell. A wrong total must
// not pass: scores divide by totals.
bool DocumentTable::AreTotalsExact() const {
  uint64_t documents = 0;
  for (DocId doc = 0; doc < limit_; ++doc) documents += Has(doc);
  bool is_exact = documents == head_->documents;
  for (size_t f = 0; f < totals_.size(); ++f) {
    const NormTable norms = Norms(f);
    uint64_t with_tokens = 0;
    for (DocId doc = 0; doc < limit_; ++doc) {
      with_tokens += norms[doc] != 0;
      is_exact &= norms[doc] == 0 || Has(doc);
    }
    is_exact &= totals_[f].documents == with_tokens && totals_[f].tokens >= with_tokens &&
                (with_tokens > 0 || totals_[f].tokens == 0);
  }
  return is_exact;
}

Result<RecordView> DocumentTable::Read(DocId doc) const {
  const DocEntry entry = this->entry(doc);
  const SegmentFile& segment = *records_[entry.segment_plus_1 - 1];
  const std::string_view records = record_bytes_[entry.segment_plus_1 - 1];
  const uint64_t length = uint64_t{entry.forward_bytes} + entry.stored_bytes + entry.value_bytes;
  if (entry.offset > records.size() || length > records.size() - entry.offset) {
    return segment.Corrupt(0, "too short for document " + std::to_string(doc));
  }
  const std::string_view bytes = records.substr(entry.offset, length);
  Status status = segment.Verify(bytes);
  if (!status.ok()) return status;
  RecordView view{bytes.substr(0, entry.forward_bytes),
                  bytes.substr(entry.forward_bytes, entry.stored_bytes),
                  bytes.substr(uint64_t{entry.forward_bytes} + entry.stored_bytes),
                  entry.weight,
                  entry.sequence,
                  nullptr};
  status = Unpack(entry.segment_plus_1 - 1, &view);
  if (!status.ok()) return status;
  const ForwardView forward(view.forward);
  if (!forward.HasSoundLengths() || forward.fields() > totals_.size()) {
    return segment.Corrupt(segment.OffsetOf(bytes.data()), "lengths of a forward record");
  }
  return view;
}

void DocumentTable::AddRecordBytes(const SegmentFile* segment) {
  record_bytes_.push_back(segment ? segment->Section(kRecordsSection) : std::string_view());
  dictionaries_.push_back(segment ? segment->Section(kDictionarySection) : std::string_view());
}

Status DocumentTable::Unpack(size_t ordinal, RecordView* view) const {
  const std::string_view section = dictionaries_[ordinal];
  if (section.empty()) return {};
  const SegmentFile& segment = *records_[ordinal];
  const auto make_no_sense = [&] {
    return segment.Corrupt(segment.OffsetOf(view->forward.data()), "packed codes of a forward record");
  };
  const auto head = ForwardView::HeadOfPacked(view->forward);
  if (!head || section.size() < kPackedSlack) return make_no_sense();
  const std::string_view packed = view->forward.substr(head->bytes);
  if (packed.size() == head->code_bytes) return {};
  // What a byte can stand for at most, so that a length that makes no sense takes no memory.
  if (head->code_bytes / 256 > packed.size()) return make_no_sense();
  Status status = segment.Verify(section);
  if (!status.ok()) return status;
  const size_t bytes = head->bytes + head->code_bytes;
  auto room = std::make_shared_for_overwrite<char[]>(bytes + kPackedSlack);
  std::memcpy(room.get(), view->forward.data(), head->bytes);
  if (!UnpackCodes(packed, section.substr(0, section.size() - kPackedSlack), head->code_bytes,
                   room.get() + head->bytes)) {
    return make_no_sense();
  }
  view->forward = {room.get(), bytes};
  view->unpacked = std::move(room);
  return {};
}

void DocumentTable::PrefetchRecord(DocId doc) const {
  if (!Has(doc)) return;
  const DocEntry entry = this->entry(doc);
  const std::string_view records = record_bytes_[entry.segment_plus_1 - 1];
  if (entry.offset > records.size() || entry.forward_bytes > records.size() - entry.offset) return;
  const char* record = records.data() + entry.offset;
  __builtin_prefetch(record);
  // The codes, which are somewhat more than half of it, are at its end.
  constexpr size_t kLine = 64, kMostBytes = 2048;
  const size_t from = entry.forward_bytes / 8 * 3;
  const size_t to = std::min<size_t>(entry.forward_bytes, from + kMostBytes);
  for (size_t at = from; at < to; at += kLine) __builtin_prefetch(record + at);
}

std::optional<RecordView> DocumentTable::Find(DocId doc) const {
  if (!Has(doc)) return std::nullopt;
  Result<RecordView> record = Read(doc);
  if (record.ok()) return std::move(record.value());
  segment_->Note(record.status());
  return std::nullopt;
}

NormTable DocumentTable::Norms(size_t field) const {
  if (field >= totals_.size()) return {};
  const uint8_t* begin = reinterpret_cast<const uint8_t*>(norms_.data()) + field * NormBytes(limit_);
  return NormTable::Mapped(begin, limit_, segment_);
}

}  // namespace freshdex::index
