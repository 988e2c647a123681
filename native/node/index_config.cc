#include "native/node/index_config.h"

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "native/base/bytes.h"

namespace freshdex::node {
namespace {

constexpr double kMaxInteger = 9007199254740991.0;

// A whole number in [low, high], else `is_valid` becomes false.
uint64_t ReadCount(const Napi::Object& given, const char* name, double low, double high, bool* is_valid) {
  const double number = given.Get(name).ToNumber().DoubleValue();
  if (number >= low && number <= high && number == std::floor(number)) return static_cast<uint64_t>(number);
  *is_valid = false;
  return 0;
}

double ReadFinite(const Napi::Object& given, const char* name, bool* is_valid) {
  const double number = given.Get(name).ToNumber().DoubleValue();
  *is_valid = *is_valid && std::isfinite(number);
  return number;
}

bool ReadScoring(const Napi::Object& given, size_t fields, score::Scoring* scoring) {
  bool is_valid = true;
  scoring->model = static_cast<score::Model>(ReadCount(given, "model", 0, 1, &is_valid));
  scoring->k1 = ReadFinite(given, "k1", &is_valid);
  scoring->b = ReadFinite(given, "b", &is_valid);
  scoring->alpha = ReadFinite(given, "alpha", &is_valid);
  scoring->beta = ReadFinite(given, "beta", &is_valid);
  const Napi::Value boosts = given.Get("fieldBoosts");
  is_valid = is_valid && boosts.IsTypedArray() &&
             boosts.As<Napi::TypedArray>().TypedArrayType() == napi_float64_array &&
             boosts.As<Napi::TypedArray>().ElementLength() == fields;
  if (!is_valid) return false;
  const Napi::Float64Array array = boosts.As<Napi::Float64Array>();
  scoring->field_boosts.assign(array.Data(), array.Data() + array.ElementLength());
  return true;
}

// A byte a field.
bool ReadFieldAnalysis(const Napi::Value& given, index::WriterConfig* writer) {
  if (!given.IsTypedArray() || given.As<Napi::TypedArray>().TypedArrayType() != napi_uint8_array) return false;
  const Napi::Uint8Array bytes = given.As<Napi::Uint8Array>();
  if (bytes.ByteLength() != writer->fields) return false;
  std::vector<index::AnalysisKind> kinds;
  for (size_t field = 0; field < bytes.ByteLength(); ++field) {
    if (bytes.Data()[field] > 4) return false;
    kinds.push_back(static_cast<index::AnalysisKind>(bytes.Data()[field]));
  }
  writer->analysis = index::AnalysisKinds(std::move(kinds));
  return true;
}

// `disk` is absent for an index in memory.
bool ReadDisk(const Napi::Value& given, IndexConfig* config) {
  if (given.IsUndefined()) return true;
  if (!given.IsObject()) return false;
  const Napi::Object disk = given.As<Napi::Object>();
  const Napi::Value folder = disk.Get("segmentFolder");
  const Napi::Value id = disk.Get("indexId");
  const Napi::Value mapped = disk.Get("mapped");
  const Napi::Value packs = disk.Get("packsRecords");
  if (!folder.IsString() || !mapped.IsBoolean() || !packs.IsBoolean() || !id.IsTypedArray() ||
      id.As<Napi::TypedArray>().TypedArrayType() != napi_uint8_array)
    return false;
  const Napi::Uint8Array bytes = id.As<Napi::Uint8Array>();
  if (bytes.ByteLength() != 16) return false;
  bool is_valid = true;
  config->writer.fold_floor = ReadCount(disk, "foldFloor", 1, kMaxInteger, &is_valid);
  config->writer.phrase_limits.least_pages =
      static_cast<uint32_t>(ReadCount(disk, "phrasePages", 1, 4294967295.0, &is_valid));
  config->writer.partition_bytes = ReadCount(disk, "partitionBytes", 1, kMaxInteger, &is_valid);
  config->writer.max_unflushed_bytes = 4 * config->writer.partition_bytes;
  config->writer.keeps_log = true;
  config->writer.keeps_stored_hash = true;
  const char* at = reinterpret_cast<const char*>(bytes.Data());
  const index::IndexId index_id{LoadUnaligned<uint64_t>(at), LoadUnaligned<uint64_t>(at + 8)};
  const FileAccess access = mapped.As<Napi::Boolean>().Value() ? FileAccess::kMapped : FileAccess::kRead;
  config->store =
      std::make_unique<index::IndexStore>(MakePosixFileSystem(access), folder.As<Napi::String>().Utf8Value(), index_id,
                                          std::make_shared<index::DamageLog>());
  config->store->PackRecords(packs.As<Napi::Boolean>().Value());
  return is_valid;
}

// `kinds` is absent for an index without columns.
bool ReadColumnKinds(const Napi::Value& kinds, index::ColumnKinds* columns) {
  if (kinds.IsUndefined()) return true;
  if (!kinds.IsTypedArray() || kinds.As<Napi::TypedArray>().TypedArrayType() != napi_uint8_array) return false;
  const Napi::Uint8Array array = kinds.As<Napi::Uint8Array>();
  if (array.ElementLength() > index::kMaxColumns) return false;
  for (size_t i = 0; i < array.ElementLength(); ++i) {
    if (array.Data()[i] >= index::kColumnKinds) return false;
    columns->push_back(static_cast<index::ColumnKind>(array.Data()[i]));
  }
  return true;
}

}  // namespace

bool ReadConfig(const Napi::Object& given, IndexConfig* config) {
  bool is_valid = true;
  config->writer.fields = ReadCount(given, "fieldCount", 1, index::kMaxFields, &is_valid);
  config->writer.query_analysis = static_cast<index::AnalysisKind>(ReadCount(given, "analysis", 0, 4, &is_valid));
  is_valid = is_valid && ReadFieldAnalysis(given.Get("fieldAnalysis"), &config->writer);
  config->writer.max_document_bytes = ReadCount(given, "maxDocumentBytes", 0, 4294967295.0, &is_valid);
  const Napi::Value seed = given.Get("hashSeed");
  const Napi::Value sketches = given.Get("wantsSketches");
  const Napi::Value link_field = given.Get("linkField");
  if (!link_field.IsUndefined()) {
    config->writer.link_field =
        ReadCount(given, "linkField", 0, static_cast<double>(config->writer.fields) - 1, &is_valid);
  }
  is_valid = is_valid && seed.IsBigInt() && sketches.IsBoolean() &&
             ReadColumnKinds(given.Get("columnKinds"), &config->writer.columns) &&
             ReadScoring(given, config->writer.fields, &config->scoring) && ReadDisk(given.Get("disk"), config);
  if (!is_valid) {
    Napi::TypeError::New(given.Env(), "malformed configuration").ThrowAsJavaScriptException();
    return false;
  }
  bool is_lossless = true;
  config->wants_sketches = sketches.As<Napi::Boolean>().Value();
  config->writer.seed = seed.As<Napi::BigInt>().Uint64Value(&is_lossless);
  return true;
}

}  // namespace freshdex::node
