#include "native/node/snapshot_handle.h"

#include "native/node/curve_values.h"
#include "native/node/failure.h"
#include "native/node/marking.h"
#include "native/node/reader.h"
#include "native/node/search_job.h"

namespace freshdex::node {
namespace {

constexpr napi_type_tag kSnapshotTag = {0x5e0c1f2ab6d94a13, 0x9b7f3d1184e2c650};

}  // namespace

Napi::Function SnapshotHandle::Define(Napi::Env env) {
  return DefineClass(env, "NativeSnapshot",
                     {
                         InstanceMethod<&SnapshotHandle::Search>("search"),
                         InstanceMethod<&SnapshotHandle::DocumentsOf>("documentsOf"),
                         InstanceMethod<&SnapshotHandle::Get>("get"),
                         InstanceMethod<&SnapshotHandle::Has>("has"),
                         InstanceMethod<&SnapshotHandle::NumberOf>("numberOf"),
                         InstanceMethod<&SnapshotHandle::List>("list"),
                         InstanceMethod<&SnapshotHandle::Mark>("mark"),
                         InstanceMethod<&SnapshotHandle::TermsOf>("termsOf"),
                         InstanceMethod<&SnapshotHandle::Complete>("complete"),
                         InstanceMethod<&SnapshotHandle::Tokens>("tokens"),
                         InstanceMethod<&SnapshotHandle::SearchAsync>("searchAsync"),
                         InstanceMethod<&SnapshotHandle::Stats>("stats"),
                         InstanceMethod<&SnapshotHandle::LoadCurves>("loadCurves"),
                         InstanceMethod<&SnapshotHandle::CurveOf>("curveOf"),
                         InstanceMethod<&SnapshotHandle::StakeParts>("stakeParts"),
                         InstanceMethod<&SnapshotHandle::Close>("close"),
                     });
}

SnapshotHandle::SnapshotHandle(const Napi::CallbackInfo& info) : Napi::ObjectWrap<SnapshotHandle>(info) {
  if (!info[0].IsExternal()) {
    Napi::TypeError::New(info.Env(), "snapshots come from an index").ThrowAsJavaScriptException();
    return;
  }
  pinned_ = *info[0].As<Napi::External<Pinned>>().Data();
  info.This().As<Napi::Object>().TypeTag(&kSnapshotTag);
}

bool SnapshotHandle::IsOpen(const Napi::CallbackInfo& info) const {
  const bool is_ours = info.This().IsObject() && info.This().As<Napi::Object>().CheckTypeTag(&kSnapshotTag);
  if (!is_ours) {
    Napi::TypeError::New(info.Env(), "not a snapshot").ThrowAsJavaScriptException();
  } else if (!pinned_.snapshot) {
    ToError(info.Env(), {"CLOSED", "the snapshot is closed"}).ThrowAsJavaScriptException();
  } else {
    return true;
  }
  return false;
}

Napi::Value SnapshotHandle::Search(const Napi::CallbackInfo& info) {
  return IsOpen(info) ? SearchIn(info, *pinned_.core, *pinned_.snapshot, pinned_.cache.get()) : info.Env().Undefined();
}

Napi::Value SnapshotHandle::DocumentsOf(const Napi::CallbackInfo& info) {
  return IsOpen(info) ? DocumentsIn(info, *pinned_.snapshot, pinned_.cache.get()) : info.Env().Undefined();
}

Napi::Value SnapshotHandle::Get(const Napi::CallbackInfo& info) {
  return IsOpen(info) ? GetFrom(info, *pinned_.snapshot) : info.Env().Undefined();
}

Napi::Value SnapshotHandle::Has(const Napi::CallbackInfo& info) {
  return IsOpen(info) ? HasIn(info, *pinned_.snapshot) : info.Env().Undefined();
}

Napi::Value SnapshotHandle::NumberOf(const Napi::CallbackInfo& info) {
  return IsOpen(info) ? NumberIn(info, *pinned_.snapshot) : info.Env().Undefined();
}

Napi::Value SnapshotHandle::List(const Napi::CallbackInfo& info) {
  return IsOpen(info) ? ListIn(info, *pinned_.snapshot) : info.Env().Undefined();
}

Napi::Value SnapshotHandle::Mark(const Napi::CallbackInfo& info) {
  return IsOpen(info) ? MarkIn(info, *pinned_.core, *pinned_.snapshot) : info.Env().Undefined();
}

Napi::Value SnapshotHandle::TermsOf(const Napi::CallbackInfo& info) {
  return IsOpen(info) ? TermsIn(info, *pinned_.core, *pinned_.snapshot) : info.Env().Undefined();
}

Napi::Value SnapshotHandle::Tokens(const Napi::CallbackInfo& info) {
  return IsOpen(info) ? TokensIn(info, *pinned_.core) : info.Env().Undefined();
}

Napi::Value SnapshotHandle::Complete(const Napi::CallbackInfo& info) {
  return IsOpen(info) ? CompleteIn(info, *pinned_.core, *pinned_.snapshot, &completions_) : info.Env().Undefined();
}

Napi::Value SnapshotHandle::SearchAsync(const Napi::CallbackInfo& info) {
  return IsOpen(info) ? SearchAsyncIn(info, pinned_.core, pinned_.snapshot) : info.Env().Undefined();
}

Napi::Value SnapshotHandle::Stats(const Napi::CallbackInfo& info) {
  return IsOpen(info) ? StatsOf(info, *pinned_.snapshot) : info.Env().Undefined();
}

Napi::Value SnapshotHandle::LoadCurves(const Napi::CallbackInfo& info) {
  return IsOpen(info) ? node::LoadCurves(info, *pinned_.core) : info.Env().Undefined();
}

Napi::Value SnapshotHandle::CurveOf(const Napi::CallbackInfo& info) {
  return IsOpen(info) ? node::CurveOf(info, *pinned_.core, *pinned_.snapshot) : info.Env().Undefined();
}

Napi::Value SnapshotHandle::StakeParts(const Napi::CallbackInfo& info) {
  return IsOpen(info) ? StakePartsOf(info, *pinned_.core, *pinned_.snapshot) : info.Env().Undefined();
}

void SnapshotHandle::Close(const Napi::CallbackInfo& info) {
  if (info.This().IsObject() && info.This().As<Napi::Object>().CheckTypeTag(&kSnapshotTag)) pinned_ = {};
}

}  // namespace freshdex::node
