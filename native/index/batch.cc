#include "native/index/batch.h"

#include <cmath>
#include <unordered_set>

#include "native/base/bytes.h"

namespace freshdex::index {
namespace {

Status Malformed(const char* what) { return Status(Code::kMalformed, std::string("malformed batch: ") + what); }

bool IsTokenSequence(std::string_view bytes) {
  ByteReader reader(bytes);
  while (reader.remaining() > 0) {
    const size_t length = reader.Read<uint16_t>();
    reader.ReadBytes(length);
    if (!reader.ok() || length == 0 || length > 255) return false;
  }
  return true;
}

Status ReadKey(ByteReader* reader, std::unordered_set<std::string_view>* seen, std::string_view* key) {
  *key = reader->ReadBytes(reader->Read<uint32_t>());
  if (!reader->ok()) return Malformed("key runs over the end");
  if (key->size() < 2 || key->size() > kMaxKeyBytes) {
    return Status(Code::kInvalidKey, "a key has " + std::to_string(key->size()) + " bytes; 2 to 1025 are possible");
  }
  if (!seen->insert(*key).second) {
    return Status(Code::kDuplicateKey, "key '" + std::string(key->substr(1)) + "' is in the batch twice");
  }
  return {};
}

constexpr uint8_t kFormTokens = 1, kFormKept = 2;

Status ReadField(ByteReader* reader, AnalysisKind analysis, FieldInput* input) {
  const uint8_t form = reader->Read<uint8_t>();
  input->bytes = reader->ReadBytes(reader->Read<uint32_t>());
  if (!reader->ok()) return Malformed("field runs over the end");
  input->is_kept = form == kFormKept && input->bytes.empty();
  if (input->is_kept) return {};
  input->is_tokens = form == kFormTokens;
  if (form > kFormTokens || input->is_tokens != (analysis == AnalysisKind::kTokens))
    return Malformed("field form does not fit the analyzer");
  if (input->is_tokens && !IsTokenSequence(input->bytes)) return Malformed("token lengths");
  return {};
}

bool IsWeight(double weight) { return std::isfinite(weight) && weight >= 0; }

Status ReadFields(ByteReader* reader, size_t fields, const AnalysisKinds& analysis, size_t max_document_bytes,
                  size_t link_field, Batch* batch, bool* keeps_text) {
  size_t total = 0, kept = 0;
  for (size_t f = 0; f < fields; ++f) {
    FieldInput input;
    Status status = ReadField(reader, analysis[f], &input);
    if (!status.ok()) return status;
    if (f == link_field && !input.is_kept) return Malformed("the field of links has a text");
    kept += input.is_kept && f != link_field;
    // The limit is on text; of tokens given by the caller, who has the text, only he can tell.
    if (!input.is_tokens) total += input.bytes.size();
    batch->fields.push_back(input);
  }
  const size_t own_fields = fields - (link_field < fields ? 1 : 0);
  if (kept != 0 && kept != own_fields) return Malformed("some fields are kept and some are not");
  *keeps_text = kept != 0;
  if (total > max_document_bytes) {
    return Status(Code::kDocumentTooLarge, "a document has " + std::to_string(total) + " bytes of text; the limit is " +
                                               std::to_string(max_document_bytes));
  }
  return {};
}

Status ReadColumns(ByteReader* reader, const ColumnKinds& columns, PutInput* put) {
  if (columns.empty()) return {};
  put->payload = reader->ReadBytes(reader->Read<uint32_t>());
  auto values = ValuesOfPayload(put->payload, columns, "", &put->keeps_values);
  if (!reader->ok() || !values) return Malformed("values of columns");
  put->values = std::move(*values);
  return {};
}

}  // namespace

Result<Batch> ParseBatch(std::string_view slab, size_t fields, const ColumnKinds& columns,
                         const AnalysisKinds& analysis, size_t max_document_bytes, size_t link_field) {
  ByteReader reader(slab);
  Batch batch;
  std::unordered_set<std::string_view> seen;
  const uint32_t puts = reader.Read<uint32_t>();
  const uint32_t removals = reader.Read<uint32_t>();
  for (uint32_t i = 0; i < puts; ++i) {
    PutInput put;
    Status status = ReadKey(&reader, &seen, &put.key);
    if (!status.ok()) return status;
    put.weight = reader.Read<double>();
    put.stored = reader.ReadBytes(reader.Read<uint32_t>());
    if (!reader.ok()) return Malformed("document runs over the end");
    put.keeps_weight = std::isnan(put.weight);
    if (!put.keeps_weight && !IsWeight(put.weight)) return Malformed("weight");
    status = ReadColumns(&reader, columns, &put);
    if (!status.ok()) return status;
    put.first_field = batch.fields.size();
    status = ReadFields(&reader, fields, analysis, max_document_bytes, link_field, &batch, &put.keeps_text);
    if (!status.ok()) return status;
    batch.puts.push_back(std::move(put));
  }
  for (uint32_t i = 0; i < removals; ++i) {
    std::string_view key;
    Status status = ReadKey(&reader, &seen, &key);
    if (!status.ok()) return status;
    batch.removals.push_back(key);
  }
  if (!reader.ok() || reader.remaining() != 0) return Malformed("length");
  return batch;
}

Result<std::vector<LinkedInput>> ParseLinks(std::string_view slab, const AnalysisKinds& analysis, size_t link_field) {
  std::vector<LinkedInput> entries;
  if (slab.empty()) return entries;
  ByteReader reader(slab);
  std::unordered_set<std::string_view> seen;
  for (uint32_t left = reader.Read<uint32_t>(); left > 0; --left) {
    LinkedInput entry;
    Status status = ReadKey(&reader, &seen, &entry.key);
    if (!status.ok()) return status;
    const double weight = reader.Read<double>();
    if (!reader.ok()) return Malformed("what links bring runs over the end");
    if (!std::isnan(weight)) {
      if (!IsWeight(weight)) return Malformed("weight");
      entry.weight = weight;
    }
    if (link_field != kNoField) {
      entry.texts.emplace();
      status = ReadField(&reader, analysis[link_field], &*entry.texts);
      if (!status.ok()) return status;
      if (entry.texts->is_kept) return Malformed("links bring no text");
    }
    entries.push_back(entry);
  }
  if (!reader.ok() || reader.remaining() != 0) return Malformed("length of what links bring");
  return entries;
}

std::vector<std::string_view> KeysOf(std::string_view slab, size_t fields, const ColumnKinds& columns) {
  ByteReader reader(slab);
  std::vector<std::string_view> keys;
  const uint32_t puts = reader.Read<uint32_t>();
  const uint32_t removals = reader.Read<uint32_t>();
  for (uint32_t i = 0; i < puts && reader.ok(); ++i) {
    keys.push_back(reader.ReadBytes(reader.Read<uint32_t>()));
    (void)reader.Read<double>();
    (void)reader.ReadBytes(reader.Read<uint32_t>());
    if (!columns.empty()) (void)reader.ReadBytes(reader.Read<uint32_t>());
    for (size_t f = 0; f < fields; ++f) {
      (void)reader.Read<uint8_t>();
      (void)reader.ReadBytes(reader.Read<uint32_t>());
    }
  }
  for (uint32_t i = 0; i < removals && reader.ok(); ++i) keys.push_back(reader.ReadBytes(reader.Read<uint32_t>()));
  if (!reader.ok() && !keys.empty()) keys.pop_back();
  return keys;
}

}  // namespace freshdex::index
