// A folder's lock as JavaScript holds it: let go by release(), by collection, and by the death of the process.
#pragma once

#include <napi.h>

#include <memory>

#include "native/base/file_lock.h"

namespace freshdex::node {

class LockHandle : public Napi::ObjectWrap<LockHandle> {
 public:
  static Napi::Function Define(Napi::Env env);
  // new FileLock(path); throws LOCKED when anybody else holds it.
  explicit LockHandle(const Napi::CallbackInfo& info);

 private:
  void Release(const Napi::CallbackInfo& info);

  std::unique_ptr<FileLock> lock_;
};

}  // namespace freshdex::node
