#include "native/index/delta_row.h"

#include <cmath>

#include "native/base/bytes.h"
#include "native/base/xxh64.h"

namespace freshdex::index {
namespace {

constexpr uint32_t kRowMagic = 0x52444446;
constexpr uint16_t kRowVersion = 5, kVersionBehindReclaim = 6;
enum DocumentFlags : uint8_t { kKey = 1, kPresent = 2, kNewText = 4, kWeight = 8, kValues = 16 };

Status Corrupt(const char* what) { return Status(Code::kCorrupt, std::string("a log row is damaged: ") + what); }

void AppendSized(std::string* out, std::string_view bytes) {
  AppendVarint(out, static_cast<uint32_t>(bytes.size()));
  out->append(bytes);
}

void AppendTerms(const std::vector<RowTerm>& terms, std::string* out) {
  std::string spelt_as_is((terms.size() + 7) / 8, '\0');
  for (size_t i = 0; i < terms.size(); ++i) {
    AppendValue(out, terms[i].field);
    AppendValue(out, static_cast<uint8_t>(terms[i].bytes.size()));
    out->append(terms[i].bytes);
    if (terms[i].is_spelt_as_is) spelt_as_is[i / 8] = static_cast<char>(spelt_as_is[i / 8] | 1 << i % 8);
  }
  out->append(spelt_as_is);
}

bool ReadTerms(ByteReader* reader, uint32_t terms, size_t fields, DeltaRow* row) {
  for (uint32_t i = 0; i < terms; ++i) {
    RowTerm term{reader->Read<FieldId>(), {}};
    term.bytes = reader->ReadBytes(reader->Read<uint8_t>());
    if (!reader->ok() || term.field >= fields || term.bytes.empty()) return false;
    row->terms.push_back(term);
  }
  const std::string_view spelt_as_is = reader->ReadBytes((size_t{terms} + 7) / 8);
  if (!reader->ok()) return false;
  for (uint32_t i = 0; i < terms; ++i)
    row->terms[i].is_spelt_as_is = (static_cast<uint8_t>(spelt_as_is[i / 8]) >> i % 8 & 1) != 0;
  return true;
}

bool ReadSpellings(ByteReader* reader, uint32_t spellings, DeltaRow* row) {
  for (uint32_t i = 0; i < spellings; ++i) {
    RowSpelling spelling{reader->Read<TermId>(), {}};
    spelling.bytes = reader->ReadBytes(reader->Read<uint8_t>());
    if (!reader->ok() || spelling.bytes.empty()) return false;
    row->spellings.push_back(spelling);
  }
  return true;
}

bool ReadDocument(ByteReader* reader, RowDocument* document) {
  document->doc = reader->Read<uint32_t>();
  const uint8_t flags = reader->Read<uint8_t>();
  document->has_key = (flags & kKey) != 0;
  document->is_removed = (flags & kPresent) == 0;
  document->has_new_text = (flags & kNewText) != 0;
  const bool has_weight = (flags & kWeight) != 0;
  if (document->has_key) document->key = reader->ReadBytes(reader->Read<uint16_t>());
  if (!document->is_removed) {
    document->weight = has_weight ? reader->Read<double>() : 0;
    document->stored = reader->ReadBytes(reader->ReadVarint());
  }
  if (document->has_new_text) {
    document->text_hash = reader->Read<uint64_t>();
    document->pieces = reader->ReadBytes(reader->ReadVarint());
  }
  const bool has_values = (flags & kValues) != 0;
  if (has_values) document->values = reader->ReadBytes(reader->ReadVarint());
  const bool is_sensible = flags <= (kKey | kPresent | kNewText | kWeight | kValues) &&
                           std::isfinite(document->weight) && document->weight >= 0 && document->doc < kMaxDocs &&
                           !(document->is_removed && flags != 0) && (!has_weight || document->weight > 0) &&
                           has_values != document->values.empty() &&
                           (!document->has_key || (document->key.size() >= 2 && document->key.size() <= kMaxKeyBytes));
  return reader->ok() && is_sensible;
}

// A row may be older than the last fields of the index.
bool IsFieldCount(size_t of_row, size_t fields) { return of_row >= 1 && of_row <= fields; }

}  // namespace

std::string EncodeRow(const DeltaRow& row, size_t fields, uint64_t seed) {
  std::string out;
  AppendValue(&out, kRowMagic);
  AppendValue(&out, row.reclaimed == 0 ? kRowVersion : kVersionBehindReclaim);
  AppendValue(&out, static_cast<uint16_t>(fields));
  AppendValue(&out, row.sequence);
  if (row.reclaimed != 0) AppendValue(&out, row.reclaimed);
  AppendValue(&out, static_cast<uint32_t>(row.terms.size()));
  AppendValue(&out, static_cast<uint32_t>(row.spellings.size()));
  AppendValue(&out, static_cast<uint32_t>(row.documents.size()));
  AppendTerms(row.terms, &out);
  for (const RowSpelling& spelling : row.spellings) {
    AppendValue(&out, spelling.term);
    AppendValue(&out, static_cast<uint8_t>(spelling.bytes.size()));
    out.append(spelling.bytes);
  }
  for (const RowDocument& document : row.documents) {
    AppendValue(&out, document.doc);
    const int flags =
        (document.has_key ? kKey : 0) | (document.is_removed ? 0 : kPresent) | (document.has_new_text ? kNewText : 0) |
        (!document.is_removed && document.weight != 0 ? kWeight : 0) | (!document.values.empty() ? kValues : 0);
    AppendValue(&out, static_cast<uint8_t>(flags));
    if (document.has_key) {
      AppendValue(&out, static_cast<uint16_t>(document.key.size()));
      out.append(document.key);
    }
    if (!document.is_removed) {
      if (document.weight != 0) AppendValue(&out, document.weight);
      AppendSized(&out, document.stored);
    }
    if (document.has_new_text) {
      AppendValue(&out, document.text_hash);
      AppendSized(&out, document.pieces);
    }
    if (!document.values.empty()) AppendSized(&out, document.values);
  }
  AppendValue(&out, Xxh64(out, seed));
  return out;
}

Result<DeltaRow> DecodeRow(std::string_view bytes, size_t fields, uint64_t seed) {
  if (bytes.size() < sizeof(uint64_t)) return Corrupt("too short");
  const std::string_view body = bytes.substr(0, bytes.size() - sizeof(uint64_t));
  if (Xxh64(body, seed) != LoadUnaligned<uint64_t>(bytes.data() + body.size())) return Corrupt("checksum");
  ByteReader reader(body);
  if (reader.Read<uint32_t>() != kRowMagic) return Corrupt("head");
  const uint16_t version = reader.Read<uint16_t>();
  const bool is_behind_reclaim = version == kVersionBehindReclaim;
  if (!(version == kRowVersion || is_behind_reclaim) || !IsFieldCount(reader.Read<uint16_t>(), fields))
    return Corrupt("head");
  DeltaRow row;
  row.sequence = reader.Read<uint64_t>();
  if (is_behind_reclaim) row.reclaimed = reader.Read<uint64_t>();
  if (is_behind_reclaim && row.reclaimed == 0) return Corrupt("head");
  const uint32_t terms = reader.Read<uint32_t>();
  const uint32_t spellings = reader.Read<uint32_t>();
  const uint32_t documents = reader.Read<uint32_t>();
  if (!reader.ok()) return Corrupt("head");
  if (!ReadTerms(&reader, terms, fields, &row)) return Corrupt("term");
  if (!ReadSpellings(&reader, spellings, &row)) return Corrupt("spelling");
  for (uint32_t i = 0; i < documents; ++i) {
    RowDocument document;
    if (!ReadDocument(&reader, &document)) return Corrupt("document");
    row.documents.push_back(document);
  }
  if (!reader.ok() || reader.remaining() != 0) return Corrupt("length");
  return row;
}

}  // namespace freshdex::index
