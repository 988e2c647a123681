// IndexHandle, the measurement: a fit is started and adopted on the writer's thread and runs on a thread of its own in
// between. The order of the calls is the caller's duty (src/refresh/measurement.ts); out of order they fail with
// INTERNAL and change nothing.
#include <algorithm>
#include <limits>
#include <span>
#include <string>
#include <unordered_set>
#include <utility>

#include "native/base/bytes.h"
#include "native/base/xxh64.h"
#include "native/node/curve_values.h"
#include "native/node/failure.h"
#include "native/node/index_handle.h"
#include "native/node/job_values.h"
#include "native/node/quality_arguments.h"
#include "native/node/reader.h"
#include "native/quality/stored_curves.h"

namespace freshdex::node {
namespace {

// What the catalog is to keep of a fit that was adopted.
void KeepCurves(const quality::FitRequest& request, const quality::Measurer& measurer, uint64_t seed, Fitted* fitted) {
  const auto epoch = measurer.shared_epoch();
  const auto curves = measurer.shared_curves();
  const auto keep = [&](quality::QueryNumber query) {
    fitted->curve_ids.push_back(epoch->workload().id(query));
    fitted->curve_rows += quality::EncodeCurve(*epoch, *curves, query, seed);
    fitted->curve_ends.push_back(static_cast<uint32_t>(fitted->curve_rows.size()));
  };
  if (!request.before) fitted->statistics = quality::EncodeStatistics(*epoch, seed);
  // Rows have weights, all of which a scale moves.
  if (!request.before || request.scale != 1) {
    for (quality::QueryNumber query = 0; query < curves->size(); ++query) keep(query);
  } else {
    for (quality::QueryNumber query : request.queries) keep(query);
    for (quality::QueryNumber query : request.reweighed) keep(query);
  }
  for (quality::QueryNumber query : request.removed)
    fitted->removed_ids.push_back(request.epoch_before->workload().id(query));
}

}  // namespace

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
      const JobClock clock;
      if (!is_epoch) {
        if (!core->measurer || !core->measurer->has_epoch())
          return Failed("INTERNAL", "there are no curves to fit anew");
        auto request = core->measurer->StartRefit(core->writer.Current());
        core->StartFit(std::move(request), clock);
        return JobResult();
      }
      auto workload = quality::Workload::Decode(*copy);
      if (!workload.ok()) return FailedWith(workload.status());
      if (!core->measurer) core->measurer = std::make_unique<quality::Measurer>(core->scoring, &core->writer);
      auto request = core->measurer->StartEpoch(workload.value(), core->writer.Current(), view, pieces);
      core->StartFit(std::move(request), clock);
      return JobResult();
    });
    return {};
  });
}

// renewEpoch(): a new epoch of the workload, the pieces and the view of the present one.
Napi::Value IndexHandle::RenewEpoch(const Napi::CallbackInfo& info) {
  const std::shared_ptr<Core> core = core_;
  return Post(info, [core] {
    const bool has_epoch = core->measurer && core->measurer->has_epoch();
    if (core->writer.has_prepared() || !core->fit.is_free() || !has_epoch)
      return Failed("INTERNAL", "no epoch can be renewed now");
    const JobClock clock;
    quality::Measurer& measurer = *core->measurer;
    auto request = measurer.StartEpoch(measurer.shared_epoch()->shared_workload(), core->writer.Current(),
                                       measurer.shared_view(), measurer.curves()->pieces());
    core->StartFit(std::move(request), clock);
    return JobResult();
  });
}

// startExtension(wire, scale): another workload within the present epoch.
Napi::Value IndexHandle::StartExtension(const Napi::CallbackInfo& info) {
  if (!IsOpen(info)) return info.Env().Undefined();
  QualityArguments arguments(info);
  const double scale = arguments.Number(1, "scale", std::numeric_limits<double>::min(),
                                        std::numeric_limits<double>::max(), "a finite number above 0");
  std::string_view wire;
  if (!arguments.are_valid() || !BytesOf(info, 0, &wire)) return info.Env().Undefined();
  return Guarded(info.Env(), [&](Napi::Value* value) -> Failure {
    const auto copy = std::make_shared<const std::string>(wire);
    const std::shared_ptr<Core> core = core_;
    *value = Post(info, [core, copy, scale] {
      const bool has_epoch = core->measurer && core->measurer->has_epoch();
      if (core->writer.has_prepared() || !core->fit.is_free() || !has_epoch)
        return Failed("INTERNAL", "no fit within an epoch can be started now");
      const JobClock clock;
      const auto workload = quality::Workload::Decode(*copy);
      if (!workload.ok()) return FailedWith(workload.status());
      auto request = core->measurer->StartExtension(workload.value(), scale, core->writer.Current());
      core->StartFit(std::move(request), clock);
      return JobResult();
    });
    return {};
  });
}

// resume(wire, pieces, view, kept, stakes): goes on with kept curves; undefined when none of them can be used.
Napi::Value IndexHandle::Resume(const Napi::CallbackInfo& info) {
  if (!IsOpen(info)) return info.Env().Undefined();
  QualityArguments arguments(info);
  const uint32_t pieces = arguments.Pieces(1);
  const auto given = arguments.View(2);
  const std::span<const double> stakes = arguments.Doubles(4, "stakes");
  if (!arguments.are_valid()) return info.Env().Undefined();
  const auto kept = ReadKept(info, 3);
  std::string_view wire;
  if (!kept || !BytesOf(info, 0, &wire)) return info.Env().Undefined();
  return Guarded(info.Env(), [&](Napi::Value* value) -> Failure {
    const auto copy = std::make_shared<const std::string>(wire);
    const auto view = std::make_shared<const quality::ViewLikelihood>(*given);
    const auto known = std::make_shared<const std::vector<double>>(stakes.begin(), stakes.end());
    const std::shared_ptr<Core> core = core_;
    *value = Post(info, [core, copy, pieces, view, kept, known] {
      if (core->writer.has_prepared() || !core->fit.is_free()) return Failed("INTERNAL", "something else is under way");
      const auto workload = quality::Workload::Decode(*copy);
      if (!workload.ok()) return FailedWith(workload.status());
      auto stored = quality::DecodeCurves(kept->statistics, kept->Rows(), *workload.value(), pieces, core->scoring,
                                          core->config.seed);
      if (!stored) return JobResult();
      const auto current = core->writer.Current();
      auto changes = quality::DecodeChanges(kept->churn, *stored->epoch, core->config.seed);
      auto resumed = std::make_shared<Resumed>();
      resumed->epoch = stored->epoch->number();
      resumed->curve_bytes = stored->curves->curve_bytes();
      resumed->lost_share = stored->lost_share;
      for (quality::QueryNumber q = 0; q < stored->curves->size(); ++q)
        resumed->queries.push_back(stored->epoch->workload().id(q));
      if (!core->measurer) core->measurer = std::make_unique<quality::Measurer>(core->scoring, &core->writer);
      core->measurer->Resume({stored->epoch, stored->curves, view, std::move(changes), *known}, *current);
      core->ShowMeasuring();
      resumed->memory_bytes = core->measurer->MemoryBytes();
      return Giving(std::shared_ptr<const Resumed>(std::move(resumed)));
    });
    return {};
  });
}

// churn() -> Uint8Array: how far lists have changed since their curves were fitted; empty without curves.
Napi::Value IndexHandle::Churn(const Napi::CallbackInfo& info) {
  const std::shared_ptr<Core> core = core_;
  return Post(info, [core] {
    auto bytes = std::make_shared<std::string>();
    if (core->measurer && core->measurer->has_epoch()) {
      const quality::Measurer& measurer = *core->measurer;
      *bytes = quality::EncodeChanges(*measurer.shared_epoch(), measurer.changes(), core->config.seed);
    }
    JobResult result;
    result.make = [bytes](Napi::Env env) { return ToBytes(env, *bytes); };
    return result;
  });
}

Napi::Value IndexHandle::RunFit(const Napi::CallbackInfo& info) {
  if (!IsOpen(info)) return info.Env().Undefined();
  return Guarded(info.Env(), [&](Napi::Value* value) -> Failure {
    const std::shared_ptr<Core> core = core_;
    *value = fit_thread_->Post([core] {
      const auto request = core->fit.Take();
      if (!request) return Failed("INTERNAL", "no fit was started");
      const JobClock clock;
      quality::FitResult result = quality::FitCurves(*request);
      core->fit.Finish(request, {std::move(result), clock.Us()});
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
    const quality::FitRequest request = finished->result.request;
    const std::vector<quality::StakeMove> moves = finished->result.moves;
    fitted->fitted = request.before ? request.queries.size() : request.epoch->workload().queries();
    fitted->answers = finished->result.answers;
    const JobClock clock;
    quality::Measurer& measurer = *core->measurer;
    const auto changed = measurer.changed_while_fitting();
    measurer.Adopt(std::move(finished->result), *core->writer.Current());
    core->ShowMeasuring();
    KeepCurves(request, measurer, core->config.seed, fitted.get());
    fitted->epoch = measurer.epoch_number();
    fitted->queries = measurer.queries();
    fitted->curve_bytes = measurer.curves()->curve_bytes();
    fitted->memory_bytes = measurer.MemoryBytes();
    fitted->unanswered_share = measurer.UnansweredShare();
    const std::span<const double> stakes = measurer.stakes();
    if (request.before && request.scale == 1) {
      std::vector<uint32_t>& documents = fitted->documents.emplace(changed.begin(), changed.end());
      for (const quality::StakeMove& move : moves) documents.push_back(move.doc);
      std::sort(documents.begin(), documents.end());
      documents.erase(std::unique(documents.begin(), documents.end()), documents.end());
      for (uint32_t doc : documents) fitted->stakes.push_back(stakes[doc]);
    } else {
      fitted->stakes.assign(stakes.begin(), stakes.end());
    }
    const double adopted_us = clock.Us();
    core->fitting_us = core->fitting_us + adopted_us;
    fitted->fit_us = finished->fit_us + adopted_us;
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
    core->measuring.Set({});
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

// measureShare(share): measures the most promising queries only, as far as this share of all shifts goes.
Napi::Value IndexHandle::MeasureShare(const Napi::CallbackInfo& info) {
  if (!IsOpen(info)) return info.Env().Undefined();
  QualityArguments arguments(info);
  const double share = arguments.Number(0, "share", 0, 1, "a number from 0 to 1");
  if (!arguments.are_valid()) return info.Env().Undefined();
  const std::shared_ptr<Core> core = core_;
  return Post(info, [core, share] {
    if (core->writer.has_prepared()) return Failed("INTERNAL", "a batch is being measured");
    if (core->measurer) core->measurer->Measure(share);
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
