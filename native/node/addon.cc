#include <napi.h>

#include "native/base/xxh64.h"
#include "native/index/delta_row.h"
#include "native/node/addon_data.h"
#include "native/node/failure.h"
#include "native/node/index_handle.h"
#include "native/node/ledger_handle.h"
#include "native/node/lock_handle.h"
#include "native/node/quality_functions.h"
#include "native/node/reader.h"
#include "native/node/row_functions.h"
#include "native/node/snapshot_handle.h"
#include "native/node/timed_observer.h"

namespace freshdex::node {
namespace {

// xxh64(bytes, seed) -> bigint: the core's hash, so that hashes made outside can be compared with it.
Napi::Value Hash(const Napi::CallbackInfo& info) {
  return Guarded(info.Env(), [&](Napi::Value* value) -> Failure {
    std::string_view bytes;
    if (!BytesOf(info, 0, &bytes)) return {};
    if (!info[1].IsBigInt()) return {"INTERNAL", "the seed must be a bigint"};
    bool is_lossless = false;
    *value = Napi::BigInt::New(info.Env(), Xxh64(bytes, info[1].As<Napi::BigInt>().Uint64Value(&is_lossless)));
    return {};
  });
}

// threadCpuUs() -> number: the CPU time of the calling thread.
Napi::Value ThreadCpu(const Napi::CallbackInfo& info) { return Napi::Number::New(info.Env(), ThreadCpuUs()); }

// documentsOfRow(row, fieldCount, seed) -> Uint32Array | undefined
Napi::Value DocumentsOfRow(const Napi::CallbackInfo& info) {
  return Guarded(info.Env(), [&](Napi::Value* value) -> Failure {
    std::string_view bytes;
    if (!BytesOf(info, 0, &bytes)) return {};
    if (!info[1].IsNumber() || !info[2].IsBigInt()) return {"INTERNAL", "expected a number of fields and a seed"};
    bool is_lossless = false;
    const auto row = index::DecodeRow(bytes, info[1].As<Napi::Number>().Uint32Value(),
                                      info[2].As<Napi::BigInt>().Uint64Value(&is_lossless));
    if (!row.ok()) return {};
    const auto& documents = row.value().documents;
    Napi::Uint32Array numbers = Napi::Uint32Array::New(info.Env(), documents.size());
    if (numbers.IsEmpty()) return {};
    for (size_t i = 0; i < documents.size(); ++i) numbers[i] = documents[i].doc;
    *value = numbers;
    return {};
  });
}

Napi::Object Init(Napi::Env env, Napi::Object exports) {
  auto* data = new AddonData();
  data->snapshot_constructor = Napi::Persistent(SnapshotHandle::Define(env));
  env.SetInstanceData(data);
  exports.Set("Index", IndexHandle::Define(env));
  exports.Set("Ledger", LedgerHandle::Define(env));
  exports.Set("FileLock", LockHandle::Define(env));
  exports.Set("documentsOfRow", Napi::Function::New<DocumentsOfRow>(env, "documentsOfRow"));
  exports.Set("threadCpuUs", Napi::Function::New<ThreadCpu>(env, "threadCpuUs"));
  exports.Set("xxh64", Napi::Function::New<Hash>(env, "xxh64"));
  DefineQualityFunctions(env, exports);
  DefineRowFunctions(env, exports);
  return exports;
}

}  // namespace

NODE_API_MODULE(freshdex, Init)

}  // namespace freshdex::node
