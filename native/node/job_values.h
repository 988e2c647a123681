// What jobs of the writer thread found, as JavaScript values. The functions run on the JavaScript thread; an empty
// value means that the environment is ending.
#pragma once

#include <napi.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "native/index/check_index.h"
#include "native/index/index_store.h"
#include "native/index/index_writer.h"
#include "native/node/job_thread.h"
#include "native/quality/measurer.h"

namespace freshdex::node {

// What a batch does to the answers of the workload.
struct Measured {
  quality::BatchMeasure batch;
  double measure_us = 0;
};

// What Prepare() computed.
struct Prepared {
  index::WriteReport report;
  std::vector<index::DocId> numbers;
  std::vector<index::NamedDocument> documents;
  std::vector<index::DocId> targets;            // one for each entry of what links bring
  std::vector<index::DocumentSketch> sketches;  // one for each of `documents`, or none where nobody wants them
  std::string row;                              // empty without a log
  std::optional<Measured> measure;              // none: Measure() is to be asked for it
  double index_us = 0;                          // without the other two; CPU time, as all of them
  double measure_us = 0;
  double sketch_us = 0;
};

struct Published {
  double index_us = 0;  // without measure_us
  double measure_us = 0;
  quality::Measurer::Need need = quality::Measurer::Need::kNothing;
};

// What AdoptFit() took over.
struct Fitted {
  uint64_t epoch = 0;
  size_t queries = 0;
  size_t fitted = 0;
  uint64_t answers = 0;
  double fit_us = 0;  // CPU time of computing and of adopting it
  size_t curve_bytes = 0;
  size_t memory_bytes = 0;
  double unanswered_share = 0;
  // None: `stakes` are by document. Otherwise of these documents only; those of the others have not moved.
  std::optional<std::vector<uint32_t>> documents;
  std::vector<double> stakes;
  // What is to be kept of it: see quality/stored_curves.h. Statistics are empty within an epoch, of which they are
  // known.
  std::string statistics;
  std::vector<uint32_t> curve_ids;
  std::string curve_rows;
  std::vector<uint32_t> curve_ends;
  std::vector<uint32_t> removed_ids;
};

// What Resume() took over.
struct Resumed {
  uint64_t epoch = 0;
  std::vector<uint32_t> queries;
  size_t curve_bytes = 0;
  size_t memory_bytes = 0;
  double lost_share = 0;
};

// The values are as src/core/addon-shape.ts describes them.
Napi::Value ToValue(Napi::Env env, const Prepared& prepared);
Napi::Value ToValue(Napi::Env env, const Measured& measured);
Napi::Value ToValue(Napi::Env env, const Published& published);
Napi::Value ToValue(Napi::Env env, const Fitted& fitted);
Napi::Value ToValue(Napi::Env env, const Resumed& resumed);
// A CheckReport of src/core/check-report.ts.
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

// For a job that must not come between a flush and its adoption or abandonment: the flush wrote the snapshot that was
// current then, and adopting it would undo whatever was published since.
inline JobResult FailedForFlush() { return Failed("INTERNAL", "a flush waits to be adopted or abandoned"); }

// The value is shared, because std::function copies what it holds.
template <typename T>
JobResult Giving(std::shared_ptr<const T> value) {
  JobResult result;
  result.make = [value = std::move(value)](Napi::Env env) { return ToValue(env, *value); };
  return result;
}

// Reads a list of segments in the form above; false (and a pending TypeError) for anything else.
bool ReadSegments(const Napi::CallbackInfo& info, size_t argument, std::vector<index::SegmentRef>* segments);

}  // namespace freshdex::node
