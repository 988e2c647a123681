#include "native/node/job_values.h"

#include <cstring>
#include <span>
#include <type_traits>

#include "native/node/reader.h"

namespace freshdex::node {
namespace {

constexpr size_t kNumbersPerSegment = 3;

Napi::Value ToNumbers(Napi::Env env, const std::vector<double>& numbers) {
  Napi::Float64Array array = Napi::Float64Array::New(env, numbers.size());
  if (!array.IsEmpty() && !numbers.empty()) std::memcpy(array.Data(), numbers.data(), numbers.size() * sizeof(double));
  return array;
}

Napi::Value ToSegments(Napi::Env env, const std::vector<index::SegmentRef>& segments) {
  std::vector<double> numbers;
  for (const index::SegmentRef& ref : segments) {
    numbers.push_back(static_cast<double>(ref.number));
    numbers.push_back(static_cast<double>(ref.kind));
    numbers.push_back(static_cast<double>(ref.bytes));
  }
  return ToNumbers(env, numbers);
}

Napi::Value ToWholeNumbers(Napi::Env env, std::span<const uint32_t> numbers) {
  Napi::Uint32Array array = Napi::Uint32Array::New(env, numbers.size());
  if (!array.IsEmpty() && !numbers.empty()) std::memcpy(array.Data(), numbers.data(), numbers.size_bytes());
  return array;
}

// The values of all sketches, one sketch after another.
Napi::Value ToWholeNumbers(Napi::Env env, const std::vector<index::DocumentSketch>& sketches) {
  static_assert(sizeof(index::DocumentSketch) == index::kSketchSize * sizeof(uint32_t));
  Napi::Uint32Array array = Napi::Uint32Array::New(env, sketches.size() * index::kSketchSize);
  if (!array.IsEmpty() && !sketches.empty())
    std::memcpy(array.Data(), sketches.data(), sketches.size() * sizeof(index::DocumentSketch));
  return array;
}

// The bytes of records that have no padding.
template <typename Record>
std::string_view BytesOf(const std::vector<Record>& records) {
  static_assert(std::has_unique_object_representations_v<Record> || std::is_trivially_copyable_v<Record>);
  return {reinterpret_cast<const char*>(records.data()), records.size() * sizeof(Record)};
}

// False when the value is empty: the environment is ending, and no further value can be made.
bool Set(Napi::Object* object, const char* name, Napi::Value value) {
  if (value.IsEmpty()) return false;
  object->Set(name, value);
  return true;
}

}  // namespace

Napi::Value ToValue(Napi::Env env, const Prepared& prepared) {
  const index::WriteReport& report = prepared.report;
  std::vector<double> counts;
  for (uint64_t count : {report.added, report.replaced, report.unchanged, report.removed, report.missing, report.tokens,
                         report.tokens_tokenized, report.postings, report.postings_written, report.new_terms,
                         report.tokens_truncated, report.rewritten, report.moved_targets}) {
    counts.push_back(static_cast<double>(count));
  }
  Napi::Object object = Napi::Object::New(env);
  if (object.IsEmpty()) return {};
  object.Set("indexUs", Napi::Number::New(env, prepared.index_us));
  object.Set("measureUs", Napi::Number::New(env, prepared.measure_us));
  object.Set("sketchUs", Napi::Number::New(env, prepared.sketch_us));
  std::vector<uint32_t> documents;
  std::string outcomes;
  for (const index::NamedDocument& named : prepared.documents) {
    documents.push_back(named.doc);
    outcomes.push_back(static_cast<char>(named.outcome));
  }
  if (!Set(&object, "documents", ToWholeNumbers(env, documents)) || !Set(&object, "outcomes", ToBytes(env, outcomes)))
    return {};
  return Set(&object, "numbers", ToWholeNumbers(env, prepared.numbers)) &&
                 Set(&object, "targets", ToWholeNumbers(env, prepared.targets)) &&
                 Set(&object, "counts", ToNumbers(env, counts)) && Set(&object, "row", ToBytes(env, prepared.row)) &&
                 Set(&object, "sketches", ToWholeNumbers(env, prepared.sketches)) &&
                 Set(&object, "measure", prepared.measure ? ToValue(env, *prepared.measure) : env.Undefined())
             ? object
             : Napi::Value();
}

Napi::Value ToValue(Napi::Env env, const Measured& measured) {
  const quality::BatchMeasure& measure = measured.batch;
  Napi::Object object = Napi::Object::New(env);
  if (object.IsEmpty()) return {};
  std::vector<uint32_t> pages, effect_ends;
  std::vector<double> delta_quality, stakes;
  for (const quality::PageMeasure& page : measure.pages) {
    pages.push_back(page.doc);
    effect_ends.push_back(page.effects_end);
    delta_quality.push_back(page.delta_quality);
    stakes.push_back(page.stake);
  }
  object.Set("measureUs", Napi::Number::New(env, measured.measure_us));
  object.Set("shifts", Napi::Number::New(env, static_cast<double>(measure.shifts)));
  object.Set("normShifts", Napi::Number::New(env, static_cast<double>(measure.norm_shifts)));
  object.Set("answeredShare", Napi::Number::New(env, measure.answered_share));
  if (measure.measured_share) object.Set("measuredShare", Napi::Number::New(env, *measure.measured_share));
  object.Set("skippedWeight", Napi::Number::New(env, measure.skipped_weight));
  return Set(&object, "pages", ToWholeNumbers(env, pages)) &&
                 Set(&object, "deltaQuality", ToNumbers(env, delta_quality)) &&
                 Set(&object, "stakes", ToNumbers(env, stakes)) &&
                 Set(&object, "effectEnds", ToWholeNumbers(env, effect_ends)) &&
                 Set(&object, "effects", ToBytes(env, BytesOf(measure.effects))) &&
                 Set(&object, "keptShifts", ToBytes(env, BytesOf(measure.kept_shifts)))
             ? object
             : Napi::Value();
}

Napi::Value ToValue(Napi::Env env, const Published& published) {
  Napi::Object object = Napi::Object::New(env);
  if (object.IsEmpty()) return {};
  object.Set("indexUs", Napi::Number::New(env, published.index_us));
  object.Set("measureUs", Napi::Number::New(env, published.measure_us));
  object.Set("fitNeed", Napi::Number::New(env, static_cast<double>(published.need)));
  return object;
}

Napi::Value ToValue(Napi::Env env, const Fitted& fitted) {
  Napi::Object object = Napi::Object::New(env);
  if (object.IsEmpty()) return {};
  const auto set = [&](const char* name, double number) { object.Set(name, Napi::Number::New(env, number)); };
  set("epoch", static_cast<double>(fitted.epoch));
  set("queries", static_cast<double>(fitted.queries));
  set("fitted", static_cast<double>(fitted.fitted));
  set("answers", static_cast<double>(fitted.answers));
  set("fitUs", fitted.fit_us);
  set("curveBytes", static_cast<double>(fitted.curve_bytes));
  set("memoryBytes", static_cast<double>(fitted.memory_bytes));
  set("unansweredShare", fitted.unanswered_share);
  const bool is_set =
      Set(&object, "stakes", ToNumbers(env, fitted.stakes)) &&
      Set(&object, "documents", fitted.documents ? ToWholeNumbers(env, *fitted.documents) : env.Undefined()) &&
      Set(&object, "statistics", ToBytes(env, fitted.statistics)) &&
      Set(&object, "ids", ToWholeNumbers(env, fitted.curve_ids)) &&
      Set(&object, "bytes", ToBytes(env, fitted.curve_rows)) &&
      Set(&object, "ends", ToWholeNumbers(env, fitted.curve_ends)) &&
      Set(&object, "removed", ToWholeNumbers(env, fitted.removed_ids));
  return is_set ? object : Napi::Value();
}

Napi::Value ToValue(Napi::Env env, const Resumed& resumed) {
  Napi::Object object = Napi::Object::New(env);
  if (object.IsEmpty()) return {};
  const auto set = [&](const char* name, double number) { object.Set(name, Napi::Number::New(env, number)); };
  set("epoch", static_cast<double>(resumed.epoch));
  set("curveBytes", static_cast<double>(resumed.curve_bytes));
  set("memoryBytes", static_cast<double>(resumed.memory_bytes));
  set("lostShare", resumed.lost_share);
  return Set(&object, "queries", ToWholeNumbers(env, resumed.queries)) ? object : Napi::Value();
}

Napi::Value ToValue(Napi::Env env, const index::CheckReport& report) {
  Napi::Object object = Napi::Object::New(env);
  Napi::Array faults = Napi::Array::New(env);
  if (object.IsEmpty() || faults.IsEmpty()) return {};
  for (const index::Fault& fault : report.faults) {
    Napi::Object entry = Napi::Object::New(env);
    if (entry.IsEmpty()) return {};
    entry.Set("invariant", Napi::String::New(env, fault.invariant));
    entry.Set("message", Napi::String::New(env, fault.message));
    faults.Set(faults.Length(), entry);
  }
  object.Set("ok", Napi::Boolean::New(env, report.faults.empty()));
  object.Set("documents", Napi::Number::New(env, static_cast<double>(report.documents)));
  object.Set("terms", Napi::Number::New(env, static_cast<double>(report.terms)));
  object.Set("postings", Napi::Number::New(env, static_cast<double>(report.postings)));
  object.Set("faults", faults);
  return object;
}

Napi::Value ToValue(Napi::Env env, const index::FlushResult& flush) {
  Napi::Object object = Napi::Object::New(env);
  if (object.IsEmpty()) return {};
  object.Set("sequence", Napi::Number::New(env, static_cast<double>(flush.sequence)));
  return Set(&object, "live", ToSegments(env, flush.live)) && Set(&object, "added", ToSegments(env, flush.added))
             ? object
             : Napi::Value();
}

bool ReadSegments(const Napi::CallbackInfo& info, size_t argument, std::vector<index::SegmentRef>* segments) {
  const Napi::Value value = info[argument];
  const bool is_list = value.IsTypedArray() && value.As<Napi::TypedArray>().TypedArrayType() == napi_float64_array &&
                       value.As<Napi::TypedArray>().ElementLength() % kNumbersPerSegment == 0;
  if (is_list) {
    const Napi::Float64Array array = value.As<Napi::Float64Array>();
    bool is_valid = true;
    for (size_t i = 0; i < array.ElementLength(); i += kNumbersPerSegment) {
      const double number = array[i], kind = array[i + 1], bytes = array[i + 2];
      is_valid = is_valid && number >= 0 && number < 9007199254740992.0 && kind >= 1 &&
                 kind <= static_cast<double>(index::kLastSegmentKind) && bytes >= 0 && bytes < 9007199254740992.0;
      if (!is_valid) break;
      segments->push_back(
          {static_cast<uint64_t>(number), static_cast<index::SegmentKind>(kind), static_cast<uint64_t>(bytes)});
    }
    if (is_valid) return true;
  }
  Napi::TypeError::New(info.Env(), "expected a list of segments").ThrowAsJavaScriptException();
  return false;
}

}  // namespace freshdex::node
