// IndexHandle on disk: loading, replaying, flushing. The order of the calls is the caller's duty (src/storage); out of
// order they fail with INTERNAL and change nothing.
#include <string>
#include <vector>

#include "native/base/bytes.h"
#include "native/node/failure.h"
#include "native/node/index_handle.h"
#include "native/node/job_values.h"
#include "native/node/reader.h"

namespace freshdex::node {
namespace {

JobResult StatusResult(const Status& status) { return status.ok() ? JobResult() : FailedWith(status); }

// Publishes the batches of rows that follow one another, each preceded by its u32 length.
Status ReplayRows(std::string_view rows, Core* core) {
  ByteReader reader(rows);
  while (reader.remaining() > 0) {
    const uint32_t length = reader.Read<uint32_t>();
    if (reader.remaining() < length) return Status(Code::kMalformed, "rows are cut off");
    Status status = core->writer.PrepareRow(reader.ReadBytes(length), nullptr);
    if (!status.ok()) return status;
    try {
      core->writer.Publish(nullptr);
    } catch (...) {
      core->writer.Discard(nullptr);
      throw;
    }
    // Upkeep runs here and not only after the job: thousands of runs would make every later row slower.
    while (core->writer.MaintainStep()) {
    }
  }
  return {};
}

}  // namespace

Napi::Value IndexHandle::Load(const Napi::CallbackInfo& info) {
  std::vector<index::SegmentRef> segments;
  if (!IsOpen(info) || !ReadSegments(info, 0, &segments)) return info.Env().Undefined();
  const bool is_for_records = info[1].IsBoolean() && info[1].As<Napi::Boolean>().Value();
  const std::shared_ptr<Core> core = core_;
  return Post(info, [core, segments, is_for_records] {
    const bool is_new =
        core->writer.Current()->sequence == 0 && !core->writer.has_prepared() && !core->writer.has_flush();
    if (!core->config.keeps_log || !is_new) return Failed("INTERNAL", "only a new index on disk can load");
    return StatusResult(core->writer.Load(segments, is_for_records));
  });
}

Napi::Value IndexHandle::RemoveUnnamed(const Napi::CallbackInfo& info) {
  const std::shared_ptr<Core> core = core_;
  return Post(info, [core] {
    if (!core->config.keeps_log) return Failed("INTERNAL", "the index is in memory");
    return StatusResult(core->writer.RemoveUnnamedSegments());
  });
}

Napi::Value IndexHandle::Replay(const Napi::CallbackInfo& info) {
  std::string_view rows;
  if (!IsOpen(info) || !BytesOf(info, 0, &rows)) return info.Env().Undefined();
  return Guarded(info.Env(), [&](Napi::Value* value) -> Failure {
    const auto copy = std::make_shared<const std::string>(rows);
    const std::shared_ptr<Core> core = core_;
    *value = Post(info, [core, copy] {
      if (core->writer.has_prepared() || core->writer.has_flush())
        return Failed("INTERNAL", "something else is under way");
      return StatusResult(ReplayRows(*copy, core.get()));
    });
    return {};
  });
}

Napi::Value IndexHandle::Flush(const Napi::CallbackInfo& info) {
  const double next_number = info[0].IsNumber() ? info[0].As<Napi::Number>().DoubleValue() : -1;
  const bool tidies = info[1].IsBoolean() && info[1].As<Napi::Boolean>().Value();
  const std::shared_ptr<Core> core = core_;
  return Post(info, [core, next_number, tidies] {
    const bool is_number = next_number >= 1 && next_number < 9007199254740992.0;
    if (!core->config.keeps_log || !is_number || core->writer.has_prepared() || core->writer.has_flush()) {
      return Failed("INTERNAL", "nothing can be flushed now");
    }
    auto flushed = core->writer.Flush(static_cast<uint64_t>(next_number), tidies);
    if (!flushed.ok()) return FailedWith(flushed.status());
    try {
      return Giving(std::make_shared<const index::FlushResult>(std::move(flushed.value())));
    } catch (...) {
      core->writer.AbandonFlush();
      throw;
    }
  });
}

Napi::Value IndexHandle::AdoptFlush(const Napi::CallbackInfo& info) {
  const std::shared_ptr<Core> core = core_;
  return Post(info, [core] {
    if (!core->writer.has_flush()) return Failed("INTERNAL", "nothing was flushed");
    core->observer.Start(core->measurer.get());
    core->writer.AdoptFlush(core->observer.listener());
    return JobResult();
  });
}

Napi::Value IndexHandle::AbandonFlush(const Napi::CallbackInfo& info) {
  const std::shared_ptr<Core> core = core_;
  return Post(info, [core] {
    if (core->writer.has_flush()) core->writer.AbandonFlush();
    return JobResult();
  });
}

Napi::Value IndexHandle::CompactStep(const Napi::CallbackInfo& info) {
  const std::shared_ptr<Core> core = core_;
  return Post(info, [core] {
    if (core->writer.has_prepared() || core->writer.has_flush())
      return Failed("INTERNAL", "something else is under way");
    core->observer.Start(core->measurer.get());
    const bool is_more = core->writer.CompactStep(core->observer.listener());
    JobResult result;
    result.make = [is_more](Napi::Env env) { return Napi::Boolean::New(env, is_more); };
    return result;
  });
}

}  // namespace freshdex::node
