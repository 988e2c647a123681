#include "native/node/index_handle.h"

#include <cmath>
#include <string>
#include <vector>

#include "native/analysis/analyzer.h"
#include "native/base/bytes.h"
#include "native/index/check_index.h"
#include "native/node/addon_data.h"
#include "native/node/failure.h"
#include "native/node/reader.h"
#include "native/node/snapshot_handle.h"

namespace freshdex::node {
namespace {

constexpr napi_type_tag kTag = {0x1d6a0b3f72c845e9, 0xa4c2e7905b1f8d36};

// Telling V8 of every few bytes would cost more than the hint is worth.
constexpr int64_t kMemoryStep = 1 << 20;

// Every value from outside is checked; false leaves a pending TypeError.
bool ReadConfig(const Napi::Object& given, index::WriterConfig* config, score::Scoring* scoring) {
  const auto number = [&](const char* name) { return given.Get(name).ToNumber().DoubleValue(); };
  const double fields = number("fieldCount");
  const double analysis = number("analysis");
  const double model = number("model");
  const Napi::Value boosts = given.Get("fieldBoosts");
  const Napi::Value seed = given.Get("hashSeed");
  bool is_lossless = true;
  bool is_valid = fields >= 1 && fields <= index::kMaxFields && fields == std::floor(fields);
  is_valid = is_valid && (analysis == 0 || analysis == 1 || analysis == 2) && (model == 0 || model == 1);
  is_valid = is_valid && seed.IsBigInt() && boosts.IsTypedArray() &&
             boosts.As<Napi::TypedArray>().TypedArrayType() == napi_float64_array &&
             static_cast<double>(boosts.As<Napi::TypedArray>().ElementLength()) == fields;
  scoring->k1 = number("k1");
  scoring->b = number("b");
  scoring->alpha = number("alpha");
  scoring->beta = number("beta");
  const double max_bytes = number("maxDocumentBytes");
  is_valid = is_valid && std::isfinite(scoring->k1) && std::isfinite(scoring->b) && std::isfinite(scoring->alpha) &&
             std::isfinite(scoring->beta) && max_bytes >= 0 && max_bytes <= 4294967295.0;
  if (!is_valid) {
    Napi::TypeError::New(given.Env(), "malformed configuration").ThrowAsJavaScriptException();
    return false;
  }
  config->fields = static_cast<size_t>(fields);
  config->analysis = static_cast<index::AnalysisKind>(analysis);
  config->seed = seed.As<Napi::BigInt>().Uint64Value(&is_lossless);
  config->max_document_bytes = static_cast<size_t>(max_bytes);
  scoring->model = static_cast<score::Model>(model);
  const Napi::Float64Array array = boosts.As<Napi::Float64Array>();
  scoring->field_boosts.assign(array.Data(), array.Data() + array.ElementLength());
  return true;
}

JobResult NumbersOf(const index::WriteReport& report) {
  JobResult result;
  result.kind = JobResult::Kind::kNumbers;
  for (uint64_t count : {report.added, report.replaced, report.unchanged, report.removed, report.missing, report.tokens,
                         report.tokens_tokenized, report.postings, report.postings_written, report.new_terms,
                         report.tokens_truncated, report.rewritten}) {
    result.numbers.push_back(static_cast<double>(count));
  }
  return result;
}

JobResult JsonOf(const index::CheckReport& report) {
  JobResult result;
  result.kind = JobResult::Kind::kText;
  // Messages are our own words and numbers: nothing in them needs escaping.
  result.text = std::string("{\"ok\":") + (report.faults.empty() ? "true" : "false") + ",\"documents\":" + std::to_string(report.documents) +
                ",\"terms\":" + std::to_string(report.terms) + ",\"postings\":" + std::to_string(report.postings) + ",\"faults\":[";
  for (size_t i = 0; i < report.faults.size(); ++i) {
    result.text += i > 0 ? ",{\"invariant\":\"" : "{\"invariant\":\"";
    result.text += report.faults[i].invariant;
    result.text += "\",\"message\":\"";
    result.text += report.faults[i].message;
    result.text += "\"}";
  }
  result.text += "]}";
  return result;
}

JobResult Failed(std::string code, std::string message) {
  JobResult result;
  result.failure = {std::move(code), std::move(message)};
  return result;
}

}  // namespace

Napi::Function IndexHandle::Define(Napi::Env env) {
  return DefineClass(env, "NativeIndex",
                     {
                         InstanceMethod<&IndexHandle::Prepare>("prepare"),
                         InstanceMethod<&IndexHandle::Publish>("publish"),
                         InstanceMethod<&IndexHandle::Discard>("discard"),
                         InstanceMethod<&IndexHandle::Compact>("compact"),
                         InstanceMethod<&IndexHandle::Check>("check"),
                         InstanceMethod<&IndexHandle::Snapshot>("snapshot"),
                         InstanceMethod<&IndexHandle::Search>("search"),
                         InstanceMethod<&IndexHandle::Get>("get"),
                         InstanceMethod<&IndexHandle::Has>("has"),
                         InstanceMethod<&IndexHandle::Stats>("stats"),
                         InstanceMethod<&IndexHandle::Analyze>("analyze"),
                         InstanceMethod<&IndexHandle::Close>("close"),
                     });
}

IndexHandle::IndexHandle(const Napi::CallbackInfo& info) : Napi::ObjectWrap<IndexHandle>(info) {
  Guarded(info.Env(), [&](Napi::Value*) -> Failure {
    if (!info[0].IsObject()) {
      Napi::TypeError::New(info.Env(), "expected a configuration").ThrowAsJavaScriptException();
      return {};
    }
    index::WriterConfig config;
    score::Scoring scoring;
    if (!ReadConfig(info[0].As<Napi::Object>(), &config, &scoring)) return {};
    core_ = std::make_shared<Core>(config, std::move(scoring));
    const std::shared_ptr<Core> core = core_;
    // While jobs are outstanding the handle must not be collected: its thread would wait for itself.
    thread_ = std::make_unique<WriterThread>(
        info.Env(), [core] { return !core->is_poisoned && core->writer.MaintainStep(); }, [this] { Ref(); },
        [this] {
          ReportMemory(Env());
          Unref();
        });
    info.This().As<Napi::Object>().TypeTag(&kTag);
    return {};
  });
}

IndexHandle::~IndexHandle() { thread_.reset(); }

bool IndexHandle::IsOpen(const Napi::CallbackInfo& info) const {
  const bool is_ours = info.This().IsObject() && info.This().As<Napi::Object>().CheckTypeTag(&kTag);
  if (!is_ours) {
    Napi::TypeError::New(info.Env(), "not an index").ThrowAsJavaScriptException();
  } else if (!core_) {
    ToError(info.Env(), {"CLOSED", "the index is closed"}).ThrowAsJavaScriptException();
  } else {
    return true;
  }
  return false;
}

Napi::Value IndexHandle::Post(const Napi::CallbackInfo& info, WriterThread::Work work) {
  if (!IsOpen(info)) return info.Env().Undefined();
  return Guarded(info.Env(), [&](Napi::Value* value) -> Failure {
    const std::shared_ptr<Core> core = core_;
    *value = thread_->Post([core, work = std::move(work)] {
      if (core->is_poisoned) return Failed("INTERNAL", "an earlier write broke off half-way: open the index anew");
      return work();
    });
    return {};
  });
}

Napi::Value IndexHandle::Prepare(const Napi::CallbackInfo& info) {
  std::string_view slab;
  if (!IsOpen(info) || !BytesOf(info, 0, &slab)) return info.Env().Undefined();
  return Guarded(info.Env(), [&](Napi::Value* value) -> Failure {
    // Copied: JavaScript may change or detach its buffer while the job waits.
    const auto copy = std::make_shared<const std::string>(slab);
    const std::shared_ptr<Core> core = core_;
    *value = Post(info, [core, copy] {
      if (core->writer.has_prepared()) return Failed("INTERNAL", "a prepared batch waits to be published or discarded");
      const auto report = core->writer.Prepare(*copy, nullptr);
      if (report.ok()) return NumbersOf(report.value());
      JobResult result;
      result.failure = Failure::From(report.status());
      return result;
    });
    return {};
  });
}

Napi::Value IndexHandle::Publish(const Napi::CallbackInfo& info) {
  const std::shared_ptr<Core> core = core_;
  return Post(info, [core] {
    if (!core->writer.has_prepared()) return Failed("INTERNAL", "no batch is prepared");
    core->is_poisoned = true;  // until it is through: an exception leaves the flag standing
    core->writer.Publish(nullptr);
    core->is_poisoned = false;
    return JobResult();
  });
}

Napi::Value IndexHandle::Discard(const Napi::CallbackInfo& info) {
  if (!IsOpen(info)) return info.Env().Undefined();
  return Guarded(info.Env(), [&](Napi::Value* value) -> Failure {
    const std::shared_ptr<Core> core = core_;
    // Also on a poisoned index: the caller is cleaning up after the very failure that poisoned it.
    *value = thread_->Post([core] {
      core->writer.Discard(nullptr);
      return JobResult();
    });
    return {};
  });
}

Napi::Value IndexHandle::Compact(const Napi::CallbackInfo& info) {
  const std::shared_ptr<Core> core = core_;
  return Post(info, [core] {
    core->writer.Compact();
    return JobResult();
  });
}

Napi::Value IndexHandle::Check(const Napi::CallbackInfo& info) {
  const std::shared_ptr<Core> core = core_;
  return Post(info, [core] { return JsonOf(index::CheckIndex(*core->writer.Current(), index::CheckLevel::kCross)); });
}

Napi::Value IndexHandle::Snapshot(const Napi::CallbackInfo& info) {
  if (!IsOpen(info)) return info.Env().Undefined();
  return Guarded(info.Env(), [&](Napi::Value* value) -> Failure {
    SnapshotHandle::Pinned pinned{core_, core_->writer.Current()};
    const Napi::FunctionReference& constructor = info.Env().GetInstanceData<AddonData>()->snapshot_constructor;
    *value = constructor.New({Napi::External<SnapshotHandle::Pinned>::New(info.Env(), &pinned)});
    return {};
  });
}

Napi::Value IndexHandle::Search(const Napi::CallbackInfo& info) {
  return IsOpen(info) ? SearchIn(info, *core_, *core_->writer.Current()) : info.Env().Undefined();
}

Napi::Value IndexHandle::Get(const Napi::CallbackInfo& info) {
  return IsOpen(info) ? GetFrom(info, *core_->writer.Current()) : info.Env().Undefined();
}

Napi::Value IndexHandle::Has(const Napi::CallbackInfo& info) {
  return IsOpen(info) ? HasIn(info, *core_->writer.Current()) : info.Env().Undefined();
}

Napi::Value IndexHandle::Stats(const Napi::CallbackInfo& info) {
  return IsOpen(info) ? StatsOf(info, *core_->writer.Current()) : info.Env().Undefined();
}

Napi::Value IndexHandle::Analyze(const Napi::CallbackInfo& info) {
  std::string_view text;
  if (!IsOpen(info) || !BytesOf(info, 0, &text)) return info.Env().Undefined();
  return Guarded(info.Env(), [&](Napi::Value* value) -> Failure {
    if (core_->config.analysis == index::AnalysisKind::kTokens) return {"INTERNAL", "this index has no analyzer of its own"};
    if (text.size() > analysis::kMaxTextBytes) return {"DOCUMENT_TOO_LARGE", "the text is too long to analyse"};
    analysis::TokenList list;
    analysis::Analyze(static_cast<analysis::Preset>(core_->config.analysis), text, &list);
    std::string out;
    for (const auto& token : list.tokens) {
      AppendValue(&out, token.length);
      AppendValue(&out, token.holes_before);
      out.append(list.text(token));
    }
    *value = ToBytes(info.Env(), out);
    return {};
  });
}

void IndexHandle::Close(const Napi::CallbackInfo& info) {
  if (!info.This().IsObject() || !info.This().As<Napi::Object>().CheckTypeTag(&kTag) || !core_) return;
  thread_->Shutdown();
  core_.reset();
  ReportMemory(info.Env());
}

void IndexHandle::ReportMemory(Napi::Env env) {
  const int64_t bytes = core_ ? static_cast<int64_t>(core_->writer.Current()->memory_bytes) : 0;
  if (core_ && std::abs(bytes - reported_bytes_) < kMemoryStep) return;
  Napi::MemoryManagement::AdjustExternalMemory(env, bytes - reported_bytes_);
  reported_bytes_ = bytes;
}

}  // namespace freshdex::node
