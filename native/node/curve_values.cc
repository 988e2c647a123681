#include "native/node/curve_values.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>
#include <string_view>
#include <utility>

#include "native/node/failure.h"
#include "native/node/quality_arguments.h"
#include "native/node/reader.h"

namespace freshdex::node {
namespace {

// The answers that are shown one after another, before ranks are passed over.
constexpr uint32_t kShownAnswers = 10;

std::optional<std::string> BytesIn(const Napi::Object& object, const char* name) {
  const Napi::Value value = object.Get(name);
  if (value.IsEmpty() || !value.IsTypedArray() || value.As<Napi::TypedArray>().TypedArrayType() != napi_uint8_array)
    return std::nullopt;
  const auto array = value.As<Napi::Uint8Array>();
  return std::string(reinterpret_cast<const char*>(array.Data()), array.ByteLength());
}

std::optional<std::vector<uint32_t>> NumbersIn(const Napi::Object& object, const char* name) {
  const Napi::Value value = object.Get(name);
  if (value.IsEmpty() || !value.IsTypedArray() || value.As<Napi::TypedArray>().TypedArrayType() != napi_uint32_array)
    return std::nullopt;
  const auto array = value.As<Napi::Uint32Array>();
  return std::vector<uint32_t>(array.Data(), array.Data() + array.ElementLength());
}

template <typename Array, typename Element>
void SetNumbers(Napi::Object* object, const char* name, const std::vector<Element>& numbers) {
  Array array = Array::New(object->Env(), numbers.size());
  if (array.IsEmpty()) return;
  if (!numbers.empty()) std::memcpy(array.Data(), numbers.data(), numbers.size() * sizeof(Element));
  object->Set(name, array);
}

}  // namespace

quality::CurveRows KeptCurves::Rows() const {
  quality::CurveRows rows;
  uint32_t begin = 0;
  for (size_t i = 0; i < ids.size(); ++i) {
    rows.emplace(ids[i], std::string_view(bytes).substr(begin, ends[i] - begin));
    begin = ends[i];
  }
  return rows;
}

std::shared_ptr<const KeptCurves> ReadKept(const Napi::CallbackInfo& info, size_t argument) {
  if (info[argument].IsObject()) {
    const Napi::Object object = info[argument].As<Napi::Object>();
    auto statistics = BytesIn(object, "statistics"), churn = BytesIn(object, "churn"), bytes = BytesIn(object, "bytes");
    auto ids = NumbersIn(object, "ids"), ends = NumbersIn(object, "ends");
    const bool are_there = statistics && churn && bytes && ids && ends;
    if (are_there && ids->size() == ends->size() && std::is_sorted(ends->begin(), ends->end()) &&
        (ends->empty() || ends->back() <= bytes->size())) {
      return std::make_shared<const KeptCurves>(
          KeptCurves{std::move(*statistics), std::move(*churn), std::move(*ids), std::move(*bytes), std::move(*ends)});
    }
  }
  if (!info.Env().IsExceptionPending())
    Napi::TypeError::New(info.Env(), "expected kept curves").ThrowAsJavaScriptException();
  return nullptr;
}

Napi::Value LoadCurves(const Napi::CallbackInfo& info, Core& core) {
  std::string_view wire;
  QualityArguments arguments(info);
  const uint32_t pieces = arguments.Pieces(1);
  const auto view = arguments.View(2);
  if (!arguments.are_valid()) return info.Env().Undefined();
  const auto kept = ReadKept(info, 3);
  if (!kept || !BytesOf(info, 0, &wire)) return info.Env().Undefined();
  return Guarded(info.Env(), [&](Napi::Value* value) -> Failure {
    const auto workload = quality::Workload::Decode(wire);
    if (!workload.ok()) return Failure::From(workload.status());
    auto stored = quality::DecodeCurves(kept->statistics, kept->Rows(), *workload.value(), pieces, core.scoring,
                                        core.config.seed);
    *value = Napi::Boolean::New(info.Env(), stored.has_value());
    if (!stored) return {};
    core.measuring.Set({stored->epoch, stored->curves, std::make_shared<const quality::ViewLikelihood>(*view)});
    return {};
  });
}

Napi::Value CurveOf(const Napi::CallbackInfo& info, const Core& core, const index::Snapshot& snapshot) {
  QualityArguments arguments(info);
  const uint32_t id = arguments.Count(0, "id", 0, 4294967295.0, "a whole number of 32 bits");
  if (!arguments.are_valid()) return info.Env().Undefined();
  return Guarded(info.Env(), [&](Napi::Value* value) -> Failure {
    const quality::MeasuringState state = core.measuring.Get();
    if (!state.epoch) return {};
    const quality::Workload& workload = state.epoch->workload();
    quality::QueryNumber query = 0;
    while (query < workload.queries() && workload.id(query) != id) ++query;
    if (query == workload.queries()) return {};
    const quality::ScoreRankCurve curve = (*state.curves)[query];
    std::vector<double> knots;  // rank and score in turn
    if (curve.n < quality::kExactBelow) {
      for (uint32_t i = 0; i < curve.n; ++i) knots.insert(knots.end(), {i + 1.0, curve.values[i]});
    } else {
      for (uint32_t j = 0; j <= curve.pieces(); ++j)
        knots.insert(knots.end(), {curve.KnotRank(j), std::exp(curve.KnotLogScore(j))});
    }
    const auto answers = quality::RankedAnswers(state, snapshot, query, kShownAnswers);
    if (snapshot.damage->has_damage()) return Failure::From(snapshot.damage->first());
    std::vector<uint32_t> documents, fitted, exact;
    std::vector<double> scores;
    for (const quality::RankedAnswer& answer : answers) {
      documents.push_back(answer.doc);
      scores.push_back(answer.score);
      fitted.push_back(answer.fitted_rank1);
      exact.push_back(answer.exact_rank1);
    }
    Napi::Object object = Napi::Object::New(info.Env());
    if (object.IsEmpty()) return {};
    object.Set("listSize", Napi::Number::New(info.Env(), curve.n));
    SetNumbers<Napi::Float64Array>(&object, "knots", knots);
    SetNumbers<Napi::Uint32Array>(&object, "documents", documents);
    SetNumbers<Napi::Float64Array>(&object, "scores", scores);
    SetNumbers<Napi::Uint32Array>(&object, "fittedRanks", fitted);
    SetNumbers<Napi::Uint32Array>(&object, "exactRanks", exact);
    *value = object;
    return {};
  });
}

Napi::Value StakePartsOf(const Napi::CallbackInfo& info, const Core& core, const index::Snapshot& snapshot) {
  QualityArguments arguments(info);
  const uint32_t doc = arguments.Count(0, "document", 0, 4294967295.0, "a whole number of 32 bits");
  const uint32_t limit = arguments.Count(1, "limit", 0, 1000, "a whole number up to 1000");
  if (!arguments.are_valid()) return info.Env().Undefined();
  return Guarded(info.Env(), [&](Napi::Value* value) -> Failure {
    const quality::MeasuringState state = core.measuring.Get();
    if (!state.epoch || doc >= snapshot.doc_limit || !snapshot.IsVisible(doc)) return {};
    const quality::StakeParts stakes = quality::StakePartsOf(state, snapshot, doc, limit);
    if (snapshot.damage->has_damage()) return Failure::From(snapshot.damage->first());
    std::vector<uint32_t> queries, ranks;
    std::vector<double> weights, scores, parts;
    for (const quality::StakePart& part : stakes.parts) {
      queries.push_back(part.query_id);
      ranks.push_back(part.rank1);
      weights.push_back(part.weight);
      scores.push_back(part.score);
      parts.push_back(part.stake);
    }
    Napi::Object object = Napi::Object::New(info.Env());
    if (object.IsEmpty()) return {};
    object.Set("total", Napi::Number::New(info.Env(), stakes.total));
    SetNumbers<Napi::Uint32Array>(&object, "queries", queries);
    SetNumbers<Napi::Uint32Array>(&object, "ranks", ranks);
    SetNumbers<Napi::Float64Array>(&object, "weights", weights);
    SetNumbers<Napi::Float64Array>(&object, "scores", scores);
    SetNumbers<Napi::Float64Array>(&object, "stakes", parts);
    *value = object;
    return {};
  });
}

}  // namespace freshdex::node
