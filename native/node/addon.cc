#include <napi.h>

#include "native/base/xxh64.h"
#include "native/node/addon_data.h"
#include "native/node/failure.h"
#include "native/node/index_handle.h"
#include "native/node/lock_handle.h"
#include "native/node/reader.h"
#include "native/node/snapshot_handle.h"

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

Napi::Object Init(Napi::Env env, Napi::Object exports) {
  auto* data = new AddonData();
  data->snapshot_constructor = Napi::Persistent(SnapshotHandle::Define(env));
  env.SetInstanceData(data);
  exports.Set("Index", IndexHandle::Define(env));
  exports.Set("FileLock", LockHandle::Define(env));
  exports.Set("xxh64", Napi::Function::New<Hash>(env, "xxh64"));
  return exports;
}

}  // namespace

NODE_API_MODULE(freshdex, Init)

}  // namespace freshdex::node
