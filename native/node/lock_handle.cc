#include "native/node/lock_handle.h"

#include "native/node/failure.h"

namespace freshdex::node {
namespace {

constexpr napi_type_tag kLockTag = {0x83f4d5a1c06e4b72, 0x8e15b9207ac34fd6};

}  // namespace

Napi::Function LockHandle::Define(Napi::Env env) {
  return DefineClass(env, "FileLock", {InstanceMethod<&LockHandle::Release>("release")});
}

LockHandle::LockHandle(const Napi::CallbackInfo& info) : Napi::ObjectWrap<LockHandle>(info) {
  Guarded(info.Env(), [&](Napi::Value*) -> Failure {
    if (!info[0].IsString()) return {"INTERNAL", "the path must be a string"};
    auto lock = FileLock::Take(info[0].As<Napi::String>().Utf8Value());
    if (!lock.ok()) return Failure::From(lock.status());
    lock_ = std::move(lock.value());
    info.This().As<Napi::Object>().TypeTag(&kLockTag);
    return {};
  });
}

void LockHandle::Release(const Napi::CallbackInfo& info) {
  if (info.This().IsObject() && info.This().As<Napi::Object>().CheckTypeTag(&kLockTag)) lock_.reset();
}

}  // namespace freshdex::node
