#include "native/index/document_table.h"

#include "native/base/bytes.h"
#include "native/index/forward_record.h"

namespace freshdex::index {
namespace {

size_t NormBytes(size_t documents) {
  return (documents + NormTable::kElementsPerPage - 1) / NormTable::kElementsPerPage * NormTable::kElementsPerPage;
}

}  // namespace

Status DocumentTable::Load(std::shared_ptr<const SegmentFile> segment, size_t fields) {
  segment_ = std::move(segment);
  Status status = segment_->VerifyAll();
  if (!status.ok()) return status;
  const auto head = segment_->Array<TableHead>(table_section::kHead);
  entries_ = segment_->Array<DocEntry>(table_section::kEntries);
  totals_ = segment_->Array<FieldTotals>(table_section::kTotals);
  record_numbers_ = segment_->Array<uint64_t>(table_section::kRecordSegments);
  norms_ = segment_->Section(table_section::kNorms);
  keys_ = segment_->Section(table_section::kKeys);
  key_begins_ = segment_->Array<uint64_t>(table_section::kKeyBegins);
  if (head.size() != 1 || totals_.size() != fields || key_begins_.size() != entries_.size() ||
      norms_.size() != fields * NormBytes(entries_.size())) {
    return segment_->Corrupt(0, "sections of the document table");
  }
  head_ = head.data();
  for (DocId doc = 0; doc < entries_.size(); ++doc) {
    if (!Has(doc)) continue;
    const uint64_t begin = key_begins_[doc];
    const bool has_key = keys_.size() >= sizeof(uint16_t) && begin <= keys_.size() - sizeof(uint16_t) &&
                         LoadUnaligned<uint16_t>(keys_.data() + begin) <= keys_.size() - sizeof(uint16_t) - begin;
    if (!has_key || entries_[doc].segment_plus_1 > record_numbers_.size()) return segment_->Corrupt(0, "entry of document " + std::to_string(doc));
  }
  return {};
}

std::optional<RecordView> DocumentTable::Find(DocId doc) const {
  if (!Has(doc)) return std::nullopt;
  const DocEntry& entry = entries_[doc];
  const SegmentFile& segment = *records_[entry.segment_plus_1 - 1];
  const std::string_view records = segment.Section(kRecordsSection);
  const uint64_t length = uint64_t{entry.forward_bytes} + entry.stored_bytes;
  if (entry.offset > records.size() || length > records.size() - entry.offset) {
    segment_->NoteDamage(&entry, "extent of a record");
    return std::nullopt;
  }
  const std::string_view bytes = records.substr(entry.offset, length);
  if (!segment.IsSound(bytes.data(), bytes.size())) return std::nullopt;
  const RecordView view{bytes.substr(0, entry.forward_bytes), bytes.substr(entry.forward_bytes), entry.weight, entry.sequence};
  if (!ForwardView(view.forward).HasSoundLengths()) {
    segment.NoteDamage(bytes.data(), "lengths of a forward record");
    return std::nullopt;
  }
  return view;
}

NormTable DocumentTable::Norms(size_t field) const {
  const uint8_t* begin = reinterpret_cast<const uint8_t*>(norms_.data()) + field * NormBytes(entries_.size());
  return NormTable::Mapped(begin, entries_.size(), segment_);
}

}  // namespace freshdex::index
