// From failures of the core to errors of JavaScript. No C++ exception leaves an exported function: every one runs
// inside Guarded().
#pragma once

#include <napi.h>

#include <cstdint>
#include <exception>
#include <new>
#include <string>

#include "native/base/status.h"

namespace freshdex::node {

// How work ended, in a form that may cross threads.
struct Failure {
  std::string code;  // empty: no failure
  std::string message;
  std::string file = {};  // empty: none
  uint64_t offset = 0;

  bool failed() const { return !code.empty(); }
  static Failure From(const Status& status) {
    if (status.ok()) return {};
    return {CodeName(status.code()), status.message(), status.file(), status.offset()};
  }
};

// An Error with `code` and, where there is a file, `detail`; src/core/binding.ts makes it a FreshdexError.
inline Napi::Error ToError(Napi::Env env, const Failure& failure) {
  Napi::Error error = Napi::Error::New(env, failure.message);
  error.Set("code", Napi::String::New(env, failure.code));
  if (failure.file.empty()) return error;
  Napi::Object detail = Napi::Object::New(env);
  if (detail.IsEmpty()) return error;
  detail.Set("file", Napi::String::New(env, failure.file));
  detail.Set("offset", Napi::Number::New(env, static_cast<double>(failure.offset)));
  error.Set("detail", detail);
  return error;
}

// Runs `work` and turns what it throws into a Failure.
template <typename Work>
Failure Catching(Work work) {
  try {
    return work();
  } catch (const std::bad_alloc&) {
    // Short enough to lie in the strings themselves: there may be no memory for another.
    return {"OUT_OF_MEMORY", "no memory left"};
  } catch (const std::exception& error) {
    return {"INTERNAL", error.what()};
  } catch (...) {
    return {"INTERNAL", "unknown failure"};
  }
}

// Runs the body of an exported function; a failure becomes the pending JavaScript exception.
template <typename Work>
Napi::Value Guarded(Napi::Env env, Work work) {
  Napi::Value value = env.Undefined();
  const Failure failure = Catching([&]() -> Failure { return work(&value); });
  if (failure.failed() && !env.IsExceptionPending()) ToError(env, failure).ThrowAsJavaScriptException();
  return value;
}

}  // namespace freshdex::node
