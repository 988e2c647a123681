#include "native/node/quality_values.h"

#include <cmath>
#include <span>
#include <vector>

#include "native/quality/score_rank_curve.h"

namespace freshdex::node {
namespace {

// No more support points than there are powers of two below 2^32 make sense; the head is checked by its own length.
constexpr size_t kMaxTail = 64;
constexpr size_t kMaxHead = 1u << 16;

bool ReadDoubles(const Napi::Value& value, size_t limit, std::span<const double>* numbers) {
  if (!value.IsTypedArray() || value.As<Napi::TypedArray>().TypedArrayType() != napi_float64_array) return false;
  const Napi::Float64Array array = value.As<Napi::Float64Array>();
  if (array.ElementLength() > limit) return false;
  *numbers = {array.Data(), array.ElementLength()};
  return true;
}

}  // namespace

bool ReadPieces(const Napi::CallbackInfo& info, size_t argument, uint32_t* pieces) {
  const double number = info[argument].IsNumber() ? info[argument].As<Napi::Number>().DoubleValue() : 0;
  if (number >= quality::kMinPieces && number <= quality::kMaxPieces && number == std::floor(number)) {
    *pieces = static_cast<uint32_t>(number);
    return true;
  }
  Napi::RangeError::New(info.Env(), "a curve has 1 to 8 pieces").ThrowAsJavaScriptException();
  return false;
}

bool ReadView(const Napi::CallbackInfo& info, size_t argument, std::shared_ptr<const quality::ViewLikelihood>* view) {
  const Napi::Value given = info[argument];
  if (given.IsUndefined()) {
    *view = std::make_shared<const quality::ViewLikelihood>();
    return true;
  }
  std::span<const double> head, tail;
  const bool is_read = given.IsObject() && ReadDoubles(given.As<Napi::Object>().Get("head"), kMaxHead, &head) &&
                       ReadDoubles(given.As<Napi::Object>().Get("tail"), 2 * kMaxTail, &tail) && tail.size() % 2 == 0;
  if (is_read) {
    std::vector<quality::ViewLikelihood::Support> points;
    for (size_t i = 0; i < tail.size(); i += 2) points.push_back({tail[i], tail[i + 1]});
    const auto made = quality::ViewLikelihood::Make(head, points);
    if (made) {
      *view = std::make_shared<const quality::ViewLikelihood>(*made);
      return true;
    }
  }
  Napi::TypeError::New(info.Env(), "malformed view likelihood").ThrowAsJavaScriptException();
  return false;
}

}  // namespace freshdex::node
