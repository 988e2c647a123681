// Typed arrays among the arguments of an exported function.
#pragma once

#include <napi.h>

#include <cstdint>
#include <span>

namespace freshdex::node {

struct TypedArray {
  napi_typedarray_type type = napi_uint8_array;
  size_t count = 0;
  void* data = nullptr;
};

inline bool TypedArrayOf(Napi::Env env, napi_value value, TypedArray* array) {
  bool is_typed_array = false;
  if (napi_is_typedarray(env, value, &is_typed_array) != napi_ok || !is_typed_array) return false;
  return napi_get_typedarray_info(env, value, &array->type, &array->count, &array->data, nullptr, nullptr) == napi_ok;
}

// False for anything but a typed array of that type. It may lie in shared memory.
template <typename Element>
bool SpanOf(Napi::Env env, napi_value value, napi_typedarray_type type, std::span<Element>* span) {
  TypedArray array;
  if (!TypedArrayOf(env, value, &array) || array.type != type) return false;
  *span = {static_cast<Element*>(array.data), array.count};
  return true;
}

}  // namespace freshdex::node
