// The addon's class Ledger: what writes do to the rows of the ledger, whose columns lie in memory of JavaScript.
#pragma once

#include <napi.h>

#include <optional>

#include "native/ledger/ledger_rows.h"

namespace freshdex::node {

class LedgerHandle : public Napi::ObjectWrap<LedgerHandle> {
 public:
  static Napi::Function Define(Napi::Env env);
  explicit LedgerHandle(const Napi::CallbackInfo& info);

 private:
  Napi::Value Enter(const Napi::CallbackInfo& info);
  Napi::Value NewBase(const Napi::CallbackInfo& info);
  Napi::Value Count(const Napi::CallbackInfo& info);
  bool IsOurs(const Napi::CallbackInfo& info) const;

  std::optional<ledger::LedgerRows> rows_;
  // Keep the memory that the rows point into.
  Napi::ObjectReference columns_;
  Napi::ObjectReference totals_;
};

}  // namespace freshdex::node
