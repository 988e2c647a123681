// What jobs of the writer thread found, as JavaScript values. The functions run on the JavaScript thread; an empty value means that the
// environment is ending.
#pragma once

#include <napi.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "native/index/check_index.h"
#include "native/index/index_store.h"
#include "native/index/index_writer.h"
#include "native/node/writer_thread.h"

namespace freshdex::node {

// What Prepare() computed.
struct Prepared {
  index::WriteReport report;
  std::vector<index::DocId> numbers;  // empty without a log
  std::string row;                    // empty without a log
};

// { counts, numbers, row } as src/engine/binding.ts describes them.
Napi::Value ToValue(Napi::Env env, const Prepared& prepared);
// A CheckReport of src/engine/check-report.ts.
Napi::Value ToValue(Napi::Env env, const index::CheckReport& report);
// { sequence, live, added }: segments as number, kind, bytes after one another.
Napi::Value ToValue(Napi::Env env, const index::FlushResult& flush);

inline JobResult Failed(std::string code, std::string message) {
  JobResult result;
  result.failure = {std::move(code), std::move(message)};
  return result;
}

inline JobResult FailedWith(const Status& status) {
  JobResult result;
  result.failure = Failure::From(status);
  return result;
}

// Shared, because functions are copied.
template <typename T>
JobResult Giving(std::shared_ptr<const T> value) {
  JobResult result;
  result.make = [value = std::move(value)](Napi::Env env) { return ToValue(env, *value); };
  return result;
}

// The list that the value above gave; false (and a pending TypeError) for anything else.
bool ReadSegments(const Napi::CallbackInfo& info, size_t argument, std::vector<index::SegmentRef>* segments);

}  // namespace freshdex::node
