#include "native/node/ledger_handle.h"

#include <cstring>
#include <limits>
#include <unordered_map>
#include <vector>

#include "native/node/failure.h"
#include "native/node/typed_arrays.h"
#include "native/quality/measurer.h"

namespace freshdex::node {
namespace {

using ledger::Entered;
using ledger::LedgerColumns;
using ledger::Outcome;
using ledger::Visit;
using ledger::VisitRules;

constexpr napi_type_tag kLedgerTag = {0x5d1f0c3be2a94718, 0xa4c96e07f38b52d1};

// Effects of documents lie one after another, in the bytes of the measurer.
constexpr size_t kEffectBytes = sizeof(quality::Effect);
static_assert(kEffectBytes == 24);

constexpr uint32_t kNoDocument = std::numeric_limits<uint32_t>::max();

// Takes the columns over by their names. False unless each is there, of its type, with a place for every document.
class ColumnReader {
 public:
  ColumnReader(Napi::Env env, Napi::Object columns) : env_(env), object_(columns) {}

  bool Read(LedgerColumns* columns) {
    TypedArray present;
    if (!TypedArrayOf(env_, Named("present"), &present)) return false;
    places_ = present.count;
    columns->places = places_;
    LedgerColumns& to = *columns;
    return Take("present", &to.present) && Take("lastOutcome", &to.last_outcome) && Take("errors", &to.errors) &&
           Take("refreshes", &to.refreshes) && Take("changes", &to.changes) && Take("rated", &to.rated) &&
           Take("createdMs", &to.created_ms) && Take("refreshedMs", &to.refreshed_ms) &&
           Take("lastAttemptMs", &to.last_attempt_ms) && Take("sumDeltaQuality", &to.sum_delta_quality) &&
           Take("sumIntervalMs", &to.sum_interval_ms) && Take("sumRate", &to.sum_rate) &&
           Take("unmeasured", &to.unmeasured) && Take("decayedRate", &to.decayed_rate) &&
           Take("decayedWeight", &to.decayed_weight) && Take("stake", &to.stake) &&
           Take("recentIntervalSeconds", &to.recent_interval_seconds, ledger::kRecentRefreshes) &&
           Take("recentDeltaQuality", &to.recent_delta_quality, ledger::kRecentRefreshes) &&
           Take("profileBaseMs", &to.profile_base_ms) && Take("sketch", &to.sketch, ledger::kSketchMinima) &&
           Take("observedAgeSeconds", &to.observed_age_seconds, ledger::kProfileObservations) &&
           Take("observedDivergence", &to.observed_divergence, ledger::kProfileObservations) &&
           Take("skippedRefreshes", &to.skipped_refreshes, ledger::kProfileObservations) &&
           Take("profileState", &to.profile_state) && Take("observations", &to.observations) &&
           Take("signals", &to.signals) && Take("signalKinds", &to.signal_kinds) && Take("signalMs", &to.signal_ms) &&
           Take("changeBits", &to.change_bits) && TakeVersions(columns) && TakeAll(columns);
  }

 private:
  napi_value Named(const char* name) { return object_.Get(name); }

  static constexpr napi_typedarray_type TypeOf(const uint8_t*) { return napi_uint8_array; }
  static constexpr napi_typedarray_type TypeOf(const uint16_t*) { return napi_uint16_array; }
  static constexpr napi_typedarray_type TypeOf(const uint32_t*) { return napi_uint32_array; }
  static constexpr napi_typedarray_type TypeOf(const float*) { return napi_float32_array; }
  static constexpr napi_typedarray_type TypeOf(const double*) { return napi_float64_array; }

  template <typename Element>
  bool Take(const char* name, Element** values, size_t width = 1) {
    std::span<Element> column;
    if (!SpanOf(env_, Named(name), TypeOf(static_cast<Element*>(nullptr)), &column)) return false;
    *values = column.data();
    return column.size() % width == 0 && column.size() / width == places_;
  }

  bool TakeVersions(LedgerColumns* columns) {
    TypedArray versions;
    if (!TypedArrayOf(env_, Named("versions"), &versions)) return false;
    if (versions.count == 0) return true;
    return Take("versions", &columns->versions) && Take("versionMs", &columns->version_ms, ledger::kMoreProfiles) &&
           Take("versionSketch", &columns->version_sketch, ledger::kMoreProfiles * ledger::kSketchMinima);
  }

  static size_t ElementBytes(napi_typedarray_type type) {
    switch (type) {
      case napi_uint8_array:
        return 1;
      case napi_uint16_array:
        return 2;
      case napi_uint32_array:
      case napi_float32_array:
        return 4;
      case napi_float64_array:
        return 8;
      default:
        return 0;
    }
  }

  // Every column, also those that only JavaScript knows. One without a place for any document has nothing to clear.
  bool TakeAll(LedgerColumns* columns) {
    const Napi::Array names = object_.GetPropertyNames();
    for (uint32_t at = 0; at < names.Length(); ++at) {
      TypedArray column;
      if (!TypedArrayOf(env_, object_.Get(names.Get(at)), &column)) return false;
      if (column.count == 0) continue;
      const size_t bytes = ElementBytes(column.type);
      if (bytes == 0 || columns->places == 0 || column.count % columns->places != 0) return false;
      columns->all.push_back({static_cast<uint8_t*>(column.data), column.count / columns->places * bytes});
    }
    return true;
  }

  Napi::Env env_;
  Napi::Object object_;
  size_t places_ = 0;
};

// Of a batch: its documents, what became of them, and what was measured.
struct EnterArguments {
  std::span<uint32_t> documents, sketches, pages, effect_ends;
  std::span<uint8_t> outcomes, effects;
  std::span<double> delta_quality, stakes;
  VisitRules rules{};

  // (documents, outcomes, sketches, pages, deltaQuality, stakes, effects, effectEnds, rules)
  bool Read(const Napi::CallbackInfo& info) {
    const Napi::Env env = info.Env();
    std::span<double> numbers;
    if (!SpanOf(env, info[0], napi_uint32_array, &documents) || !SpanOf(env, info[1], napi_uint8_array, &outcomes) ||
        !SpanOf(env, info[2], napi_uint32_array, &sketches) || !SpanOf(env, info[3], napi_uint32_array, &pages) ||
        !SpanOf(env, info[4], napi_float64_array, &delta_quality) ||
        !SpanOf(env, info[5], napi_float64_array, &stakes) || !SpanOf(env, info[6], napi_uint8_array, &effects) ||
        !SpanOf(env, info[7], napi_uint32_array, &effect_ends) || !SpanOf(env, info[8], napi_float64_array, &numbers) ||
        !ReadRules(numbers, &rules)) {
      return false;
    }
    return outcomes.size() == documents.size() && sketches.size() % ledger::kSketchMinima == 0 &&
           delta_quality.size() == pages.size() && stakes.size() == pages.size() && AreEnds();
  }

  static bool ReadRules(std::span<const double> numbers, VisitRules* rules) {
    if (numbers.size() != 4 || !(numbers[3] >= 1 && numbers[3] <= 1 + ledger::kMoreProfiles)) return false;
    *rules = {numbers[0], numbers[1], numbers[2], static_cast<uint32_t>(numbers[3])};
    return true;
  }

  // Where the effects of no page are known, there are none.
  bool AreEnds() const {
    if (effect_ends.empty()) return effects.empty();
    if (effect_ends.size() != pages.size()) return false;
    uint32_t last = 0;
    for (const uint32_t end : effect_ends) {
      if (end < last) return false;
      last = end;
    }
    return effects.size() == last * kEffectBytes;
  }

  bool AreWithin(const LedgerColumns& columns) const {
    if (rules.profiles > 1 && !sketches.empty() && columns.versions == nullptr) return false;
    for (size_t at = 0; at < documents.size(); ++at) {
      if (documents[at] != kNoDocument && documents[at] >= columns.places) return false;
      if (outcomes[at] >= ledger::kOutcomes) return false;
    }
    return true;
  }

  // Documents behind those that were sketched have no new version.
  const uint32_t* SketchOf(size_t at) const {
    const auto outcome = static_cast<Outcome>(outcomes[at]);
    if (outcome != Outcome::kAdded && outcome != Outcome::kChanged) return nullptr;
    const size_t begin = at * ledger::kSketchMinima;
    return begin < sketches.size() ? sketches.data() + begin : nullptr;
  }

  std::span<const uint8_t> EffectsOf(size_t page) const {
    if (effect_ends.empty()) return {};
    const size_t begin = page == 0 ? 0 : effect_ends[page - 1];
    return effects.subspan(begin * kEffectBytes, (effect_ends[page] - begin) * kEffectBytes);
  }
};

constexpr uint32_t kNoPage = std::numeric_limits<uint32_t>::max();

// What the batch did, as JavaScript takes it: see NativeEntered in src/core/addon-shape.ts.
struct EnteredBatch {
  std::vector<uint8_t> entered;
  std::vector<uint32_t> touched, removed;
  std::vector<double> effect_ends;  // by touched document; -1: those that it has stay
  std::vector<uint8_t> effects;

  void Run(const EnterArguments& batch, ledger::LedgerRows* rows) {
    // Pages come in the order of their documents, but for those that links were told of.
    std::unordered_map<uint32_t, uint32_t> page_of;
    page_of.reserve(batch.pages.size());
    for (uint32_t page = 0; page < batch.pages.size(); ++page) page_of[batch.pages[page]] = page;
    // All memory that is needed is taken before the first row changes.
    entered.assign(batch.documents.size(), 0);
    touched.reserve(batch.documents.size());
    removed.reserve(batch.documents.size());
    effect_ends.reserve(batch.documents.size());
    effects.reserve(batch.effects.size());
    for (size_t at = 0; at < batch.documents.size(); ++at) {
      const uint32_t doc = batch.documents[at];
      if (doc == kNoDocument) continue;
      const auto found = page_of.find(doc);
      Take(at, batch, found == page_of.end() ? kNoPage : found->second, rows);
    }
  }

  void Take(size_t at, const EnterArguments& batch, uint32_t page, ledger::LedgerRows* rows) {
    constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
    const bool is_measured = page != kNoPage;
    const Visit visit{.doc = batch.documents[at],
                      .outcome = static_cast<Outcome>(batch.outcomes[at]),
                      .delta_quality = is_measured ? batch.delta_quality[page] : kUnknown,
                      .stake = is_measured ? batch.stakes[page] : kUnknown,
                      .sketch = batch.SketchOf(at)};
    const Entered what = rows->Enter(visit, batch.rules);
    entered[at] = static_cast<uint8_t>(what);
    if (what == Entered::kNothing) return;
    if (what == Entered::kRemoved) return removed.push_back(visit.doc);
    touched.push_back(visit.doc);
    // The scores of a page of another weight moved, and yet the refresh found what was there: what the last change did
    // is still what is known.
    const bool is_told = is_measured && what != Entered::kStaked && visit.outcome != Outcome::kReweighted;
    if (is_told) {
      const std::span<const uint8_t> own = batch.EffectsOf(page);
      effects.insert(effects.end(), own.begin(), own.end());
    }
    effect_ends.push_back(is_told ? static_cast<double>(effects.size()) : -1);
  }

  template <typename Array, typename Element>
  static bool Set(Napi::Object object, const char* name, const std::vector<Element>& values) {
    Array array = Array::New(object.Env(), values.size());
    if (array.IsEmpty()) return false;
    if (!values.empty()) std::memcpy(array.Data(), values.data(), values.size() * sizeof(Element));
    object.Set(name, array);
    return true;
  }

  Napi::Value ToObject(Napi::Env env) const {
    Napi::Object object = Napi::Object::New(env);
    if (object.IsEmpty() || !Set<Napi::Uint8Array>(object, "entered", entered) ||
        !Set<Napi::Uint32Array>(object, "touched", touched) || !Set<Napi::Uint32Array>(object, "removed", removed) ||
        !Set<Napi::Float64Array>(object, "effectEnds", effect_ends) ||
        !Set<Napi::Uint8Array>(object, "effects", effects)) {
      return env.Undefined();
    }
    return object;
  }
};

Failure BadArguments(const char* expected) { return {"INTERNAL", expected}; }

}  // namespace

Napi::Function LedgerHandle::Define(Napi::Env env) {
  return DefineClass(env, "Ledger",
                     {InstanceMethod<&LedgerHandle::Enter>("enter"), InstanceMethod<&LedgerHandle::NewBase>("newBase"),
                      InstanceMethod<&LedgerHandle::Count>("count")});
}

LedgerHandle::LedgerHandle(const Napi::CallbackInfo& info) : Napi::ObjectWrap<LedgerHandle>(info) {
  Guarded(info.Env(), [&](Napi::Value*) -> Failure {
    std::span<double> totals;
    if (!info[0].IsObject() || !SpanOf(info.Env(), info[1], napi_float64_array, &totals) ||
        totals.size() != ledger::kTotals) {
      return BadArguments("expected the columns of a ledger and its totals");
    }
    const auto object = info[0].As<Napi::Object>();
    LedgerColumns columns;
    if (!ColumnReader(info.Env(), object).Read(&columns)) return BadArguments("expected the columns of a ledger");
    rows_.emplace(std::move(columns), totals.first<ledger::kTotals>());
    columns_ = Napi::Persistent(object);
    totals_ = Napi::Persistent(info[1].As<Napi::Object>());
    info.This().As<Napi::Object>().TypeTag(&kLedgerTag);
    return {};
  });
}

bool LedgerHandle::IsOurs(const Napi::CallbackInfo& info) const {
  return info.This().IsObject() && info.This().As<Napi::Object>().CheckTypeTag(&kLedgerTag) && rows_.has_value();
}

Napi::Value LedgerHandle::Enter(const Napi::CallbackInfo& info) {
  return Guarded(info.Env(), [&](Napi::Value* value) -> Failure {
    EnterArguments batch;
    if (!IsOurs(info) || !batch.Read(info) || !batch.AreWithin(rows_->columns()))
      return BadArguments("expected a batch whose documents have a place in the ledger");
    EnteredBatch entered;
    entered.Run(batch, &*rows_);
    *value = entered.ToObject(info.Env());
    return {};
  });
}

// newBase(doc, rules, sketch)
Napi::Value LedgerHandle::NewBase(const Napi::CallbackInfo& info) {
  return Guarded(info.Env(), [&](Napi::Value*) -> Failure {
    std::span<double> numbers;
    std::span<uint32_t> sketch;
    VisitRules rules{};
    if (!IsOurs(info) || !info[0].IsNumber() || !SpanOf(info.Env(), info[1], napi_float64_array, &numbers) ||
        !EnterArguments::ReadRules(numbers, &rules) || !SpanOf(info.Env(), info[2], napi_uint32_array, &sketch) ||
        sketch.size() != ledger::kSketchMinima) {
      return BadArguments("expected a document, rules and a sketch");
    }
    const uint32_t doc = info[0].As<Napi::Number>().Uint32Value();
    const LedgerColumns& columns = rows_->columns();
    if (doc >= columns.places || (rules.profiles > 1 && columns.versions == nullptr))
      return BadArguments("expected a document that has a place in the ledger");
    rows_->NewBase(doc, rules, sketch.data());
    return {};
  });
}

// count(doc, sign)
Napi::Value LedgerHandle::Count(const Napi::CallbackInfo& info) {
  return Guarded(info.Env(), [&](Napi::Value*) -> Failure {
    if (!IsOurs(info) || !info[0].IsNumber() || !info[1].IsNumber())
      return BadArguments("expected a document and a sign");
    const uint32_t doc = info[0].As<Napi::Number>().Uint32Value();
    if (doc >= rows_->columns().places) return BadArguments("expected a document that has a place in the ledger");
    rows_->Count(doc, info[1].As<Napi::Number>().Int32Value() < 0 ? -1 : 1);
    return {};
  });
}

}  // namespace freshdex::node
