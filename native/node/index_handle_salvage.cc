// IndexHandle taking over the documents of a damaged index: see src/storage/salvage/.
#include <cstring>
#include <string>
#include <vector>

#include "native/base/bytes.h"
#include "native/base/xxh64.h"
#include "native/node/failure.h"
#include "native/node/index_handle.h"
#include "native/node/job_values.h"
#include "native/node/reader.h"

namespace freshdex::node {
namespace {

// What a salvage found, as JavaScript gets it.
struct Found {
  std::vector<std::string> problems;
  std::string states;  // one byte per document number: SalvagedState
  // The keys of the documents that are not absent, in order of their numbers: u16 length, bytes.
  std::string keys;
  // The hashes of the stored forms of the intact documents, in order of their numbers: 8 bytes each, zeros where the
  // record has no hash.
  std::string hashes;
};

Napi::Value ToValue(Napi::Env env, const Found& found) {
  Napi::Object object = Napi::Object::New(env);
  Napi::Array problems = Napi::Array::New(env);
  const Napi::Value states = ToBytes(env, found.states), keys = ToBytes(env, found.keys),
                    hashes = ToBytes(env, found.hashes);
  if (object.IsEmpty() || problems.IsEmpty() || !states.IsTypedArray() || !keys.IsTypedArray() ||
      !hashes.IsTypedArray())
    return {};
  for (const std::string& problem : found.problems) problems.Set(problems.Length(), Napi::String::New(env, problem));
  object.Set("problems", problems);
  object.Set("states", states);
  object.Set("keys", keys);
  object.Set("hashes", hashes);
  return object;
}

Found FoundIn(const index::Salvage& salvage) {
  Found found;
  found.problems = salvage.problems();
  for (index::DocId doc = 0; doc < salvage.limit(); ++doc) {
    const index::SalvagedState state = salvage.StateOf(doc);
    found.states.push_back(static_cast<char>(state));
    if (state == index::SalvagedState::kAbsent) continue;
    AppendValue(&found.keys, static_cast<uint16_t>(salvage.KeyOf(doc).size()));
    found.keys.append(salvage.KeyOf(doc));
    if (state != index::SalvagedState::kIntact) continue;
    const std::string_view stored = salvage.StoredOf(doc);
    found.hashes.append(stored.size() == 8 ? stored : std::string_view("\0\0\0\0\0\0\0\0", 8));
  }
  return found;
}

JobResult GivingFound(const index::Salvage& salvage) {
  const auto found = std::make_shared<const Found>(FoundIn(salvage));
  JobResult result;
  result.make = [found](Napi::Env env) { return ToValue(env, *found); };
  return result;
}

// The numbers come from outside, so each is checked before it is used.
bool AreIntact(const index::Salvage& salvage, const std::vector<uint32_t>& docs) {
  for (uint32_t doc : docs) {
    if (salvage.StateOf(doc) != index::SalvagedState::kIntact) return false;
  }
  return true;
}

bool ReadNumbers(const Napi::Value& value, std::vector<uint32_t>* numbers) {
  if (!value.IsTypedArray() || value.As<Napi::TypedArray>().TypedArrayType() != napi_uint32_array) return false;
  const Napi::Uint32Array array = value.As<Napi::Uint32Array>();
  numbers->assign(array.Data(), array.Data() + array.ElementLength());
  return true;
}

}  // namespace

// openSalvageOf(index) -> what can be taken over from an open index
Napi::Value IndexHandle::OpenSalvageOf(const Napi::CallbackInfo& info) {
  if (!IsOpen(info)) return info.Env().Undefined();
  return Guarded(info.Env(), [&](Napi::Value* value) -> Failure {
    const IndexHandle* source = From(info[0]);
    if (!source || !source->core_ || source == this) return {"INTERNAL", "expected another open index"};
    const std::shared_ptr<const index::Snapshot> snapshot = source->core_->writer.Current();
    if (snapshot->fields.size() != core_->config.fields || index::KindsOf(snapshot->columns) != core_->config.columns)
      return {"INTERNAL", "expected an index of the same fields and columns"};
    const std::shared_ptr<Core> core = core_;
    *value = Post(info, [core, snapshot] {
      core->salvage = std::make_unique<index::Salvage>(snapshot);
      return GivingFound(*core->salvage);
    });
    return {};
  });
}

// openSalvage(folder, segments, id) -> what can be taken over from these segments
Napi::Value IndexHandle::OpenSalvage(const Napi::CallbackInfo& info) {
  std::vector<index::SegmentRef> segments;
  std::string_view id;
  if (!IsOpen(info) || !ReadSegments(info, 1, &segments) || !BytesOf(info, 2, &id)) return info.Env().Undefined();
  return Guarded(info.Env(), [&](Napi::Value* value) -> Failure {
    if (!info[0].IsString() || id.size() != 16) return {"INTERNAL", "expected a folder, segments and an id"};
    const std::string folder = info[0].As<Napi::String>().Utf8Value();
    const index::IndexId index_id{LoadUnaligned<uint64_t>(id.data()), LoadUnaligned<uint64_t>(id.data() + 8)};
    const std::shared_ptr<Core> core = core_;
    *value = Post(info, [core, folder, segments, index_id] {
      core->salvage = std::make_unique<index::Salvage>(MakePosixFileSystem(), folder, segments, index_id,
                                                       core->config.fields, core->config.columns);
      return GivingFound(*core->salvage);
    });
    return {};
  });
}

// prepareSalvaged(numbers, stored, ends) -> as prepare(): these documents of the salvage, with these stored forms, one
// after another, each up to its end.
Napi::Value IndexHandle::PrepareSalvaged(const Napi::CallbackInfo& info) {
  std::string_view stored;
  if (!IsOpen(info) || !BytesOf(info, 1, &stored)) return info.Env().Undefined();
  return Guarded(info.Env(), [&](Napi::Value* value) -> Failure {
    std::vector<uint32_t> docs, ends;
    if (!ReadNumbers(info[0], &docs) || !ReadNumbers(info[2], &ends) || docs.size() != ends.size())
      return {"INTERNAL", "expected numbers and ends"};
    std::vector<std::string> hashes;
    uint32_t begin = 0;
    for (uint32_t end : ends) {
      if (end < begin || end > stored.size()) return {"INTERNAL", "ends of stored forms"};
      AppendValue(&hashes.emplace_back(), Xxh64(stored.substr(begin, end - begin), core_->config.seed));
      begin = end;
    }
    const std::shared_ptr<Core> core = core_;
    *value = Post(info, [core, docs, hashes] {
      if (!core->salvage || !AreIntact(*core->salvage, docs) || core->writer.has_prepared())
        return Failed("INTERNAL", "nothing can be taken over");
      if (core->writer.has_flush()) return FailedForFlush();
      const std::vector<std::string_view> views(hashes.begin(), hashes.end());
      const auto row = core->salvage->RowFor(docs, views, core->writer);
      if (!row.ok()) return FailedWith(row.status());
      const Status status = core->writer.PrepareRow(row.value(), nullptr);
      if (!status.ok()) return FailedWith(status);
      try {
        const auto prepared = std::make_shared<Prepared>();
        prepared->numbers = core->writer.prepared_numbers();
        prepared->row = core->writer.prepared_row();
        prepared->measure.emplace();
        return Giving(std::shared_ptr<const Prepared>(prepared));
      } catch (...) {
        core->writer.Discard(nullptr);
        throw;
      }
    });
    return {};
  });
}

}  // namespace freshdex::node
