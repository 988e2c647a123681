#include "native/node/quality_functions.h"

#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>

#include "native/node/failure.h"
#include "native/node/quality_arguments.h"
#include "native/quality/delta_quality.h"

namespace freshdex::node {
namespace {

using quality::ScoreRankCurve;
using quality::ViewLikelihood;

bool CheckScores(std::span<const float> scores, QualityArguments* arguments) {
  if (scores.empty()) arguments->RefuseRange("scores", "a list of at least one score", 0);
  for (size_t i = 0; i < scores.size() && arguments->are_valid(); ++i) {
    if (!std::isfinite(scores[i]) || scores[i] <= 0 || (i > 0 && scores[i] > scores[i - 1])) {
      arguments->RefuseRange("scores", "finite, above 0 and descending", scores[i]);
    }
  }
  return arguments->are_valid();
}

using Fit = void (*)(std::span<const float>, uint32_t, std::span<float>);

template <Fit fit>
Napi::Value MakeCurve(const Napi::CallbackInfo& info) {
  return Guarded(info.Env(), [&](Napi::Value* value) -> Failure {
    QualityArguments arguments(info);
    const std::span<const float> scores = arguments.Floats(0, "scores");
    const uint32_t pieces = arguments.Pieces(1);
    if (!arguments.are_valid() || !CheckScores(scores, &arguments)) return {};
    Napi::Float32Array values = Napi::Float32Array::New(info.Env(), pieces + 2);
    if (values.IsEmpty()) return {};
    fit(scores, pieces, {values.Data(), pieces + 2});
    *value = values;
    return {};
  });
}

Napi::Value RankOf(const Napi::CallbackInfo& info) {
  return Guarded(info.Env(), [&](Napi::Value* value) -> Failure {
    QualityArguments arguments(info);
    const ScoreRankCurve curve = arguments.Curve(1);
    const double score = arguments.Score(2, "score", std::numeric_limits<double>::denorm_min());
    if (arguments.are_valid()) *value = Napi::Number::New(info.Env(), curve.RankOf(score));
    return {};
  });
}

Napi::Value ScoreAt(const Napi::CallbackInfo& info) {
  return Guarded(info.Env(), [&](Napi::Value* value) -> Failure {
    QualityArguments arguments(info);
    const ScoreRankCurve curve = arguments.Curve(1);
    const double rank = arguments.Number(2, "rank", 1, curve.n, "a number from 1 to n");
    if (arguments.are_valid()) *value = Napi::Number::New(info.Env(), curve.ScoreAt(rank));
    return {};
  });
}

Napi::Value DeltaQuality(const Napi::CallbackInfo& info) {
  return Guarded(info.Env(), [&](Napi::Value* value) -> Failure {
    const Napi::Env env = info.Env();
    QualityArguments arguments(info);
    // The view is read first: its getters may run code that detaches the buffer of the curve.
    const std::optional<ViewLikelihood> view = arguments.View(2);
    const ScoreRankCurve curve = arguments.Curve(0);
    const double s1 = arguments.Score(3, "s1", 0), s2 = arguments.Score(4, "s2", 0);
    if (!arguments.are_valid()) return {};
    const quality::RankShift shift = quality::EstimateDeltaQuality(curve, *view, s1, s2);
    Napi::Object result = Napi::Object::New(env);
    if (result.IsEmpty()) return {};
    result.Set("rankBefore", Napi::Number::New(env, shift.rank1_before));
    result.Set("rankAfter", Napi::Number::New(env, shift.rank1_after));
    result.Set("deltaQuality", Napi::Number::New(env, shift.delta_quality));
    *value = result;
    return {};
  });
}

}  // namespace

void DefineQualityFunctions(Napi::Env env, Napi::Object exports) {
  exports.Set("fitCurve", Napi::Function::New<MakeCurve<quality::FitCurve>>(env, "fitCurve"));
  exports.Set("interpolateCurve", Napi::Function::New<MakeCurve<quality::InterpolateCurve>>(env, "interpolateCurve"));
  exports.Set("rankOf", Napi::Function::New<RankOf>(env, "rankOf"));
  exports.Set("scoreAt", Napi::Function::New<ScoreAt>(env, "scoreAt"));
  exports.Set("deltaQuality", Napi::Function::New<DeltaQuality>(env, "deltaQuality"));
}

}  // namespace freshdex::node
