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

Status ReadFields(ByteReader* reader, size_t fields, const AnalysisKinds& analysis, size_t max_document_bytes,
                  Batch* batch, bool* keeps_text) {
  size_t total = 0, kept = 0;
  for (size_t f = 0; f < fields; ++f) {
    FieldInput input;
    const uint8_t form = reader->Read<uint8_t>();
    input.bytes = reader->ReadBytes(reader->Read<uint32_t>());
    if (!reader->ok()) return Malformed("field runs over the end");
    if (form == kFormKept && input.bytes.empty()) {
      ++kept;
      batch->fields.push_back(input);
      continue;
    }
    input.is_tokens = form == kFormTokens;
    if (form > kFormTokens || input.is_tokens != (analysis[f] == AnalysisKind::kTokens))
      return Malformed("field form does not fit the analyzer");
    if (input.is_tokens && !IsTokenSequence(input.bytes)) return Malformed("token lengths");
    // The limit is on text; of tokens given by the caller, who has the text, only he can tell.
    if (!input.is_tokens) total += input.bytes.size();
    batch->fields.push_back(input);
  }
  if (kept != 0 && kept != fields) return Malformed("some fields are kept and some are not");
  *keeps_text = kept != 0;
  if (total > max_document_bytes) {
    return Status(Code::kDocumentTooLarge, "a document has " + std::to_string(total) + " bytes of text; the limit is " +
                                               std::to_string(max_document_bytes));
  }
  return {};
}

}  // namespace

Result<Batch> ParseBatch(std::string_view slab, size_t fields, const AnalysisKinds& analysis,
                         size_t max_document_bytes) {
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
    if (!std::isfinite(put.weight) || put.weight < 0) return Malformed("weight");
    put.first_field = batch.fields.size();
    status = ReadFields(&reader, fields, analysis, max_document_bytes, &batch, &put.keeps_text);
    if (!status.ok()) return status;
    batch.puts.push_back(put);
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

}  // namespace freshdex::index
