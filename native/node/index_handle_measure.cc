// IndexHandle, the measurement: a fit is started and adopted on the writer's thread and runs on a thread of its own in
// between. The order of the calls is the caller's duty (src/refresh/measurement.ts); out of order they fail with
// INTERNAL and change nothing.
#include <string>
#include <unordered_set>
#include <utility>

#include "native/base/bytes.h"
#include "native/base/xxh64.h"
#include "native/node/failure.h"
#include "native/node/index_handle.h"
#include "native/node/job_values.h"
#include "native/node/quality_arguments.h"
#include "native/node/reader.h"

namespace freshdex::node {

// startFit(wire | undefined, pieces, view | undefined): a new epoch of the workload, or the stale curves of the present
// one.
Napi::Value IndexHandle::StartFit(const Napi::CallbackInfo& info) {
  if (!IsOpen(info)) return info.Env().Undefined();
  const bool is_epoch = !info[0].IsUndefined();
  QualityArguments arguments(info);
  const uint32_t pieces = is_epoch ? arguments.Pieces(1) : 0;
  const auto given = is_epoch ? arguments.View(2) : std::nullopt;
  std::string_view wire;
  if (!arguments.are_valid() || (is_epoch && !BytesOf(info, 0, &wire))) return info.Env().Undefined();
  return Guarded(info.Env(), [&](Napi::Value* value) -> Failure {
    const auto copy = std::make_shared<const std::string>(wire);
    const auto view = given ? std::make_shared<const quality::ViewLikelihood>(*given) : nullptr;
    const std::shared_ptr<Core> core = core_;
    *value = Post(info, [core, copy, is_epoch, pieces, view] {
      if (core->writer.has_prepared() || !core->fit.is_free()) return Failed("INTERNAL", "no fit can be started now");
      if (!is_epoch) {
        if (!core->measurer || !core->measurer->has_epoch())
          return Failed("INTERNAL", "there are no curves to fit anew");
        core->fit.Start(core->measurer->StartRefit(core->writer.Current()));
        return JobResult();
      }
      auto workload = quality::Workload::Decode(*copy);
      if (!workload.ok()) return FailedWith(workload.status());
      if (!core->measurer) core->measurer = std::make_unique<quality::Measurer>(core->scoring, &core->writer);
      core->fit.Start(core->measurer->StartEpoch(workload.value(), core->writer.Current(), view, pieces));
      return JobResult();
    });
    return {};
  });
}

Napi::Value IndexHandle::RunFit(const Napi::CallbackInfo& info) {
  if (!IsOpen(info)) return info.Env().Undefined();
  return Guarded(info.Env(), [&](Napi::Value* value) -> Failure {
    const std::shared_ptr<Core> core = core_;
    *value = fit_thread_->Post([core] {
      const auto request = core->fit.Take();
      if (!request) return Failed("INTERNAL", "no fit was started");
      const Stopwatch watch;
      quality::FitResult result = quality::FitCurves(*request);
      core->fit.Finish(request, {std::move(result), watch.Ms()});
      return JobResult();
    });
    return {};
  });
}

Napi::Value IndexHandle::AdoptFit(const Napi::CallbackInfo& info) {
  const std::shared_ptr<Core> core = core_;
  return Post(info, [core] {
    if (core->writer.has_prepared() || !core->measurer) return Failed("INTERNAL", "no fit can be adopted now");
    auto finished = core->fit.Collect();
    if (!finished) return Failed("INTERNAL", "there is no fit to adopt");
    auto fitted = std::make_shared<Fitted>();
    const quality::FitResult& result = finished->result;
    fitted->fitted = result.request.before ? result.request.queries.size() : result.curves->size();
    fitted->answers = result.answers;
    const Stopwatch watch;
    quality::Measurer& measurer = *core->measurer;
    measurer.Adopt(std::move(finished->result), *core->writer.Current());
    fitted->fit_ms = finished->fit_ms + watch.Ms();
    fitted->epoch = measurer.epoch_number();
    fitted->queries = measurer.queries();
    fitted->curve_bytes = measurer.curves()->curve_bytes();
    fitted->memory_bytes = measurer.MemoryBytes();
    fitted->unanswered_share = measurer.UnansweredShare();
    fitted->stakes.assign(measurer.stakes().begin(), measurer.stakes().end());
    return Giving(std::shared_ptr<const Fitted>(std::move(fitted)));
  });
}

Napi::Value IndexHandle::AbandonFit(const Napi::CallbackInfo& info) {
  const std::shared_ptr<Core> core = core_;
  return Post(info, [core] {
    core->fit.Clear();
    if (core->measurer) core->measurer->Abandon();
    return JobResult();
  });
}

Napi::Value IndexHandle::StopMeasuring(const Napi::CallbackInfo& info) {
  const std::shared_ptr<Core> core = core_;
  return Post(info, [core] {
    if (core->writer.has_prepared() || !core->fit.is_free()) return Failed("INTERNAL", "something else is under way");
    if (core->measurer) core->measurer->Stop();
    return JobResult();
  });
}

Napi::Value IndexHandle::KeepShifts(const Napi::CallbackInfo& info) {
  const std::shared_ptr<Core> core = core_;
  const bool keeps = info[0].IsBoolean() && info[0].As<Napi::Boolean>().Value();
  return Post(info, [core, keeps] {
    if (!core->measurer) core->measurer = std::make_unique<quality::Measurer>(core->scoring, &core->writer);
    core->measurer->KeepShifts(keeps);
    return JobResult();
  });
}

// wordsOfHashes(hashes) -> Uint8Array: the words of all fields that have one of these hashes, each word once, as u64
// hash, u8 length, bytes.
Napi::Value IndexHandle::WordsOfHashes(const Napi::CallbackInfo& info) {
  if (!IsOpen(info)) return info.Env().Undefined();
  if (!info[0].IsTypedArray() || info[0].As<Napi::TypedArray>().TypedArrayType() != napi_biguint64_array) {
    Napi::TypeError::New(info.Env(), "expected a BigUint64Array").ThrowAsJavaScriptException();
    return info.Env().Undefined();
  }
  return Guarded(info.Env(), [&](Napi::Value* value) -> Failure {
    const Napi::BigUint64Array array = info[0].As<Napi::BigUint64Array>();
    const auto wanted =
        std::make_shared<std::unordered_set<uint64_t>>(array.Data(), array.Data() + array.ElementLength());
    const std::shared_ptr<Core> core = core_;
    *value = Post(info, [core, wanted] {
      const auto snapshot = core->writer.Current();
      auto words = std::make_shared<std::string>();
      for (index::TermId term = 0; term < snapshot->term_count && !wanted->empty(); ++term) {
        const std::string_view text = snapshot->terms().Text(term);
        const uint64_t hash = Xxh64(text, core->config.seed);
        if (wanted->erase(hash) == 0) continue;
        AppendValue(words.get(), hash);
        words->push_back(static_cast<char>(text.size()));
        words->append(text);
      }
      JobResult result;
      result.make = [words](Napi::Env env) { return ToBytes(env, *words); };
      return result;
    });
    return {};
  });
}

}  // namespace freshdex::node
