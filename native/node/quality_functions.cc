#include "native/node/quality_functions.h"

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <iterator>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "native/node/failure.h"
#include "native/quality/delta_quality.h"
#include "native/quality/score_rank_curve.h"
#include "native/quality/view_likelihood.h"

namespace freshdex::node {
namespace {

using quality::ScoreRankCurve;
using quality::ViewLikelihood;

constexpr double kMaxListLength = std::numeric_limits<uint32_t>::max() - 1.0;

// In words, without running any code of the value's owner.
const char* KindOf(const Napi::Value& value) {
  constexpr const char* kNames[] = {"undefined", "null", "a boolean", "a number", "a string", "a symbol", "an object", "a function", "an external", "a bigint"};
  const auto type = value.IsEmpty() ? napi_undefined : value.Type();
  return static_cast<size_t>(type) < std::size(kNames) ? kNames[type] : "something else";
}

// Reads and checks the arguments of one call. After the first that is wrong, an exception is pending and the rest are not looked at.
class Arguments {
 public:
  explicit Arguments(const Napi::CallbackInfo& info) : info_(info) {}

  bool are_valid() const { return are_valid_; }

  double Number(size_t at, const char* name) {
    if (!are_valid_) return 0;
    if (!info_[at].IsNumber()) return RefuseType(info_[at], name, "a number"), 0;
    return info_[at].As<Napi::Number>().DoubleValue();
  }

  // In [low, high]; the bounds are given in words too.
  double Number(size_t at, const char* name, double low, double high, const char* rule) {
    const double number = Number(at, name);
    if (are_valid_ && !(number >= low && number <= high)) RefuseRange(name, rule, number);
    return number;
  }

  uint32_t Count(size_t at, const char* name, double low, double high, const char* rule) {
    const double number = Number(at, name, low, high, rule);
    if (are_valid_ && number != std::floor(number)) RefuseRange(name, rule, number);
    return are_valid_ ? static_cast<uint32_t>(number) : 0;
  }

  double Score(size_t at, const char* name, double low) {
    return Number(at, name, low, std::numeric_limits<double>::max(), low == 0 ? "a finite number of at least 0" : "a finite number above 0");
  }

  std::span<const float> Floats(size_t at, const char* name) {
    return are_valid_ ? Elements<float>(info_[at], name, napi_float32_array, "a Float32Array") : std::span<const float>();
  }

  // The arguments at 0 and 1.
  ScoreRankCurve Curve(double fewest) {
    const std::span<const float> values = Floats(0, "values");
    const uint32_t n = Count(1, "n", fewest, kMaxListLength, fewest == 0 ? "an integer from 0 to 4294967294" : "an integer from 1 to 4294967294");
    const ScoreRankCurve curve{n, values};
    if (are_valid_ && !curve.IsWellFormed()) RefuseRange("values", "the curve of a list of n pages", n);
    return curve;
  }

  // undefined for r^-3/2.
  std::optional<ViewLikelihood> View(size_t at) {
    if (!are_valid_) return std::nullopt;
    if (info_[at].IsUndefined()) return ViewLikelihood();
    if (!info_[at].IsObject()) return RefuseType(info_[at], "view", "undefined or an object"), std::nullopt;
    const Napi::Object given = info_[at].As<Napi::Object>();
    // Both before either is looked at: a getter may run code that detaches the other's buffer.
    const Napi::Value given_head = given.Get("head"), given_tail = given.Get("tail");
    const auto head = Elements<double>(given_head, "view.head", napi_float64_array, "a Float64Array");
    const auto tail = Elements<double>(given_tail, "view.tail", napi_float64_array, "a Float64Array");
    if (!are_valid_) return std::nullopt;
    std::vector<ViewLikelihood::Support> supports;
    for (size_t i = 0; i + 1 < tail.size(); i += 2) supports.push_back({tail[i], tail[i + 1]});
    auto view = tail.size() % 2 == 0 ? ViewLikelihood::Make(head, supports) : std::nullopt;
    if (!view) RefuseRange("view", "non-increasing values from rank 1 on that reach 0, with pairs of rank and value as tail", head.empty() ? 0 : head[0]);
    return view;
  }

  void RefuseRange(const char* name, const char* rule, double number) {
    char text[40];
    std::snprintf(text, sizeof text, "%.17g", number);
    Napi::RangeError::New(info_.Env(), std::string(name) + " must be " + rule + ", received " + text).ThrowAsJavaScriptException();
    are_valid_ = false;
  }

 private:
  void RefuseType(const Napi::Value& value, const char* name, const char* rule) {
    // A getter of `view` may have thrown already.
    if (!info_.Env().IsExceptionPending()) {
      Napi::TypeError::New(info_.Env(), std::string(name) + " must be " + rule + ", received " + KindOf(value)).ThrowAsJavaScriptException();
    }
    are_valid_ = false;
  }

  template <typename Element>
  std::span<const Element> Elements(const Napi::Value& value, const char* name, napi_typedarray_type type, const char* rule) {
    if (!are_valid_) return {};
    if (value.IsEmpty() || !value.IsTypedArray() || value.As<Napi::TypedArray>().TypedArrayType() != type) {
      RefuseType(value, name, rule);
      return {};
    }
    const auto array = value.As<Napi::TypedArrayOf<Element>>();
    return {array.Data(), array.ElementLength()};
  }

  const Napi::CallbackInfo& info_;
  bool are_valid_ = true;
};

bool CheckScores(std::span<const float> scores, Arguments* arguments) {
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
    Arguments arguments(info);
    const std::span<const float> scores = arguments.Floats(0, "scores");
    const uint32_t pieces = arguments.Count(1, "pieces", quality::kMinPieces, quality::kMaxPieces, "an integer from 1 to 8");
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
    Arguments arguments(info);
    const ScoreRankCurve curve = arguments.Curve(1);
    const double score = arguments.Score(2, "score", std::numeric_limits<double>::denorm_min());
    if (arguments.are_valid()) *value = Napi::Number::New(info.Env(), curve.RankOf(score));
    return {};
  });
}

Napi::Value ScoreAt(const Napi::CallbackInfo& info) {
  return Guarded(info.Env(), [&](Napi::Value* value) -> Failure {
    Arguments arguments(info);
    const ScoreRankCurve curve = arguments.Curve(1);
    const double rank = arguments.Number(2, "rank", 1, curve.n, "a number from 1 to n");
    if (arguments.are_valid()) *value = Napi::Number::New(info.Env(), curve.ScoreAt(rank));
    return {};
  });
}

Napi::Value DeltaQuality(const Napi::CallbackInfo& info) {
  return Guarded(info.Env(), [&](Napi::Value* value) -> Failure {
    const Napi::Env env = info.Env();
    Arguments arguments(info);
    // First: its getters may run code that detaches the buffer of the curve.
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
