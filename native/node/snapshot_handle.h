// A snapshot held by JavaScript. Closing it, or its collection, lets the index reuse what only it could see.
#pragma once

#include <napi.h>

#include <memory>

#include "native/node/core.h"
#include "native/score/completions.h"
#include "native/score/search_cache.h"

namespace freshdex::node {

class SnapshotHandle : public Napi::ObjectWrap<SnapshotHandle> {
 public:
  static Napi::Function Define(Napi::Env env);
  // REQUIRES: called through the constructor that Define() gave, with an External<Pinned>.
  explicit SnapshotHandle(const Napi::CallbackInfo& info);

  struct Pinned {
    std::shared_ptr<Core> core;
    std::shared_ptr<const index::Snapshot> snapshot;
    std::shared_ptr<score::SearchCache> cache;  // of the index, which lives on the same thread
  };

 private:
  Napi::Value Search(const Napi::CallbackInfo& info);
  Napi::Value DocumentsOf(const Napi::CallbackInfo& info);
  Napi::Value Get(const Napi::CallbackInfo& info);
  Napi::Value Has(const Napi::CallbackInfo& info);
  Napi::Value NumberOf(const Napi::CallbackInfo& info);
  Napi::Value List(const Napi::CallbackInfo& info);
  Napi::Value Mark(const Napi::CallbackInfo& info);
  Napi::Value TermsOf(const Napi::CallbackInfo& info);
  Napi::Value Complete(const Napi::CallbackInfo& info);
  Napi::Value Tokens(const Napi::CallbackInfo& info);
  Napi::Value SearchAsync(const Napi::CallbackInfo& info);
  Napi::Value Stats(const Napi::CallbackInfo& info);
  Napi::Value LoadCurves(const Napi::CallbackInfo& info);
  Napi::Value CurveOf(const Napi::CallbackInfo& info);
  Napi::Value StakeParts(const Napi::CallbackInfo& info);
  void Close(const Napi::CallbackInfo& info);
  bool IsOpen(const Napi::CallbackInfo& info) const;

  Pinned pinned_;
  score::CompletionCache completions_;
};

}  // namespace freshdex::node
