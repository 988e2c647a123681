// Reads and checks what the measurement is told from JavaScript.
#pragma once

#include <napi.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <iterator>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "native/quality/score_rank_curve.h"
#include "native/quality/view_likelihood.h"

namespace freshdex::node {

inline constexpr double kMaxListLength = std::numeric_limits<uint32_t>::max() - 1.0;

// What kind of value it is, in words. Runs no code of the value's owner.
inline const char* KindOf(const Napi::Value& value) {
  constexpr const char* kNames[] = {"undefined", "null",      "a boolean",  "a number",    "a string",
                                    "a symbol",  "an object", "a function", "an external", "a bigint"};
  const auto type = value.IsEmpty() ? napi_undefined : value.Type();
  return static_cast<size_t>(type) < std::size(kNames) ? kNames[type] : "something else";
}

// The arguments of one call. After the first that is wrong, an exception is pending and the rest are not looked at.
class QualityArguments {
 public:
  explicit QualityArguments(const Napi::CallbackInfo& info) : info_(info) {}

  bool are_valid() const { return are_valid_; }

  double Number(size_t at, const char* name) {
    if (!are_valid_) return 0;
    if (!info_[at].IsNumber()) return RefuseType(info_[at], name, "a number"), 0;
    return info_[at].As<Napi::Number>().DoubleValue();
  }

  // A number in [low, high]. `rule` says the bounds in words.
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
    return Number(at, name, low, std::numeric_limits<double>::max(),
                  low == 0 ? "a finite number of at least 0" : "a finite number above 0");
  }

  uint32_t Pieces(size_t at) {
    return Count(at, "pieces", quality::kMinPieces, quality::kMaxPieces, "an integer from 1 to 8");
  }

  std::span<const float> Floats(size_t at, const char* name) {
    return are_valid_ ? Elements<float>(info_[at], name, napi_float32_array, "a Float32Array")
                      : std::span<const float>();
  }

  std::span<const double> Doubles(size_t at, const char* name) {
    return are_valid_ ? Elements<double>(info_[at], name, napi_float64_array, "a Float64Array")
                      : std::span<const double>();
  }

  // The curve whose values are argument 0 and whose n is argument 1.
  quality::ScoreRankCurve Curve(double fewest) {
    const std::span<const float> values = Floats(0, "values");
    const uint32_t n = Count(1, "n", fewest, kMaxListLength,
                             fewest == 0 ? "an integer from 0 to 4294967294" : "an integer from 1 to 4294967294");
    const quality::ScoreRankCurve curve{n, values};
    if (are_valid_ && !curve.IsWellFormed()) RefuseRange("values", "the curve of a list of n pages", n);
    return curve;
  }

  // The view likelihood that an argument describes; undefined describes r^-3/2.
  std::optional<quality::ViewLikelihood> View(size_t at) {
    if (!are_valid_) return std::nullopt;
    if (info_[at].IsUndefined()) return quality::ViewLikelihood();
    if (!info_[at].IsObject()) return RefuseType(info_[at], "view", "undefined or an object"), std::nullopt;
    const Napi::Object given = info_[at].As<Napi::Object>();
    // Both getters run before either array is looked at: a getter may run code that detaches the other's buffer.
    const Napi::Value given_head = given.Get("head"), given_tail = given.Get("tail");
    const auto head = Elements<double>(given_head, "view.head", napi_float64_array, "a Float64Array");
    const auto tail = Elements<double>(given_tail, "view.tail", napi_float64_array, "a Float64Array");
    if (!are_valid_) return std::nullopt;
    std::vector<quality::ViewLikelihood::Support> supports;
    for (size_t i = 0; i + 1 < tail.size(); i += 2) supports.push_back({tail[i], tail[i + 1]});
    auto view = tail.size() % 2 == 0 ? quality::ViewLikelihood::Make(head, supports) : std::nullopt;
    if (!view)
      RefuseRange("view", "non-increasing values from rank 1 on that reach 0, with pairs of rank and value as tail",
                  head.empty() ? 0 : head[0]);
    return view;
  }

  void RefuseRange(const char* name, const char* rule, double number) {
    char text[40];
    std::snprintf(text, sizeof text, "%.17g", number);
    Napi::RangeError::New(info_.Env(), std::string(name) + " must be " + rule + ", received " + text)
        .ThrowAsJavaScriptException();
    are_valid_ = false;
  }

 private:
  void RefuseType(const Napi::Value& value, const char* name, const char* rule) {
    // A getter of `view` may have thrown already.
    if (!info_.Env().IsExceptionPending()) {
      Napi::TypeError::New(info_.Env(), std::string(name) + " must be " + rule + ", received " + KindOf(value))
          .ThrowAsJavaScriptException();
    }
    are_valid_ = false;
  }

  template <typename Element>
  std::span<const Element> Elements(const Napi::Value& value, const char* name, napi_typedarray_type type,
                                    const char* rule) {
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

}  // namespace freshdex::node
