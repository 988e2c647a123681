#include "native/node/index_handle.h"

#include <string>

#include "native/analysis/analyzer.h"
#include "native/base/bytes.h"
#include "native/index/check_index.h"
#include "native/node/addon_data.h"
#include "native/node/curve_values.h"
#include "native/node/failure.h"
#include "native/node/index_config.h"
#include "native/node/job_values.h"
#include "native/node/marking.h"
#include "native/node/reader.h"
#include "native/node/snapshot_handle.h"

namespace freshdex::node {
namespace {

constexpr napi_type_tag kIndexTag = {0x1d6a0b3f72c845e9, 0xa4c2e7905b1f8d36};

// V8 is told of memory so that it collects an index that nobody closed. Whatever it is told of beyond the last
// collection brings the next one of the whole heap nearer, so it is told by doublings, and of no small index.
constexpr int64_t kLeastReported = 64 << 20;

// `clock` is that of the job, begun anew after what it did before.
Measured MeasurePrepared(Core& core, JobClock* clock) {
  Measured measured;
  if (!core.measurer) return measured;
  measured.batch = core.measurer->Estimate();
  measured.measure_us = clock->Lap();
  return measured;
}

// What a batch may have that is prepared and published on the JavaScript thread: a millisecond or two of work.
constexpr size_t kSmallBatchBytes = 64 << 10;
constexpr size_t kSmallBatchDocuments = 16;
constexpr size_t kSmallRecordBytes = 256 << 10;  // of all versions that the batch replaces or removes
constexpr size_t kSmallWorkload = 20'000;        // queries that it may have to be measured by

// What links bring is left to the thread: they may tell of any number of documents.
bool IsSmall(const index::IndexWriter& writer, std::string_view slab, std::string_view links) {
  if (slab.size() > kSmallBatchBytes || links.size() > sizeof(uint32_t)) return false;
  const std::vector<std::string_view> keys = index::KeysOf(slab, writer.config().fields, writer.config().columns);
  if (keys.size() > kSmallBatchDocuments) return false;
  const std::shared_ptr<const index::Snapshot> snapshot = writer.Current();
  size_t record_bytes = 0;
  for (const std::string_view key : keys) {
    const index::DocId doc = snapshot->FindKey(key);
    const auto before = doc == index::kNoDoc ? std::nullopt : snapshot->Record(doc);
    if (before) record_bytes += before->forward.size();
  }
  return record_bytes <= kSmallRecordBytes;
}

// Discards a prepared batch of which the caller is not told.
class UnlessGiven {
 public:
  explicit UnlessGiven(Core* core) : core_(core) {}
  ~UnlessGiven() {
    if (core_ != nullptr) core_->writer.Discard(core_->observer.listener());
  }
  UnlessGiven(const UnlessGiven&) = delete;
  UnlessGiven& operator=(const UnlessGiven&) = delete;
  void Release() { core_ = nullptr; }

 private:
  Core* core_;
};

JobResult PreparedIn(Core* core, std::string_view slab, std::string_view links) {
  if (core->writer.has_prepared()) return Failed("INTERNAL", "a prepared batch waits to be published or discarded");
  if (core->writer.has_flush()) return FailedForFlush();
  JobClock clock;
  core->observer.Start(core->measurer.get());
  const auto report = core->writer.Prepare(slab, core->observer.listener(), links);
  if (!report.ok()) return FailedWith(report.status());
  UnlessGiven guard(core);
  const auto prepared = std::make_shared<Prepared>();
  prepared->report = report.value();
  prepared->numbers = core->writer.prepared_numbers();
  prepared->documents = core->writer.prepared_documents();
  prepared->targets = core->writer.prepared_targets();
  prepared->memory_bytes = core->writer.PreparedBytes();
  if (core->config.keeps_log) prepared->row = core->writer.prepared_row();
  const JobClock::Split split = clock.SplitOff(core->observer.spent_ms());
  prepared->index_us = split.rest_us;
  prepared->measure_us = split.part_us;
  if (core->wants_sketches) {
    prepared->sketches = core->writer.SketchPrepared();
    prepared->sketch_us = clock.Lap();
  }
  if (!core->is_measured_later()) prepared->measure = MeasurePrepared(*core, &clock);
  JobResult result = Giving(std::shared_ptr<const Prepared>(prepared));
  guard.Release();
  return result;
}

}  // namespace

Napi::Function IndexHandle::Define(Napi::Env env) {
  return DefineClass(env, "NativeIndex",
                     {
                         InstanceMethod<&IndexHandle::Prepare>("prepare"),
                         InstanceMethod<&IndexHandle::Measure>("measure"),
                         InstanceMethod<&IndexHandle::Publish>("publish"),
                         InstanceMethod<&IndexHandle::Discard>("discard"),
                         InstanceMethod<&IndexHandle::Compact>("compact"),
                         InstanceMethod<&IndexHandle::Check>("check"),
                         InstanceMethod<&IndexHandle::Load>("load"),
                         InstanceMethod<&IndexHandle::RemoveUnnamed>("removeUnnamed"),
                         InstanceMethod<&IndexHandle::Replay>("replay"),
                         InstanceMethod<&IndexHandle::Flush>("flush"),
                         InstanceMethod<&IndexHandle::AdoptFlush>("adoptFlush"),
                         InstanceMethod<&IndexHandle::AbandonFlush>("abandonFlush"),
                         InstanceMethod<&IndexHandle::CompactStep>("compactStep"),
                         InstanceMethod<&IndexHandle::OpenSalvage>("openSalvage"),
                         InstanceMethod<&IndexHandle::OpenSalvageOf>("openSalvageOf"),
                         InstanceMethod<&IndexHandle::PrepareSalvaged>("prepareSalvaged"),
                         InstanceMethod<&IndexHandle::StartFit>("startFit"),
                         InstanceMethod<&IndexHandle::RenewEpoch>("renewEpoch"),
                         InstanceMethod<&IndexHandle::StartExtension>("startExtension"),
                         InstanceMethod<&IndexHandle::Resume>("resume"),
                         InstanceMethod<&IndexHandle::Churn>("churn"),
                         InstanceMethod<&IndexHandle::RunFit>("runFit"),
                         InstanceMethod<&IndexHandle::AdoptFit>("adoptFit"),
                         InstanceMethod<&IndexHandle::AbandonFit>("abandonFit"),
                         InstanceMethod<&IndexHandle::StopMeasuring>("stopMeasuring"),
                         InstanceMethod<&IndexHandle::KeepShifts>("keepShifts"),
                         InstanceMethod<&IndexHandle::MeasureShare>("measureShare"),
                         InstanceMethod<&IndexHandle::WordsOfHashes>("wordsOfHashes"),
                         InstanceMethod<&IndexHandle::Snapshot>("snapshot"),
                         InstanceMethod<&IndexHandle::Search>("search"),
                         InstanceMethod<&IndexHandle::DocumentsOf>("documentsOf"),
                         InstanceMethod<&IndexHandle::Get>("get"),
                         InstanceMethod<&IndexHandle::Has>("has"),
                         InstanceMethod<&IndexHandle::NumberOf>("numberOf"),
                         InstanceMethod<&IndexHandle::List>("list"),
                         InstanceMethod<&IndexHandle::Mark>("mark"),
                         InstanceMethod<&IndexHandle::TermsOf>("termsOf"),
                         InstanceMethod<&IndexHandle::Complete>("complete"),
                         InstanceMethod<&IndexHandle::Tokens>("tokens"),
                         InstanceMethod<&IndexHandle::Stats>("stats"),
                         InstanceMethod<&IndexHandle::WriterUs>("writerUs"),
                         InstanceMethod<&IndexHandle::LoadCurves>("loadCurves"),
                         InstanceMethod<&IndexHandle::CurveOf>("curveOf"),
                         InstanceMethod<&IndexHandle::StakeParts>("stakeParts"),
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
    IndexConfig config;
    if (!ReadConfig(info[0].As<Napi::Object>(), &config)) return {};
    core_ = std::make_shared<Core>(config.writer, std::move(config.scoring), std::move(config.store),
                                   config.wants_sketches);
    const std::shared_ptr<Core> core = core_;
    // While jobs are outstanding the handle must not be collected: its thread would wait for itself.
    thread_ = std::make_unique<JobThread>(
        info.Env(), "freshdex writer",
        JobThread::IdleWork{[core] { return core->writer.MaintainStep(); },
                            [core] { return core->writer.IsMaintenanceDue(); }},
        [this] { Ref(); },
        [this] {
          ReportMemory(Env());
          Unref();
        });
    fit_thread_ = std::make_unique<JobThread>(
        info.Env(), "freshdex fit", JobThread::IdleWork{}, [this] { Ref(); }, [this] { Unref(); });
    info.This().As<Napi::Object>().TypeTag(&kIndexTag);
    return {};
  });
}

IndexHandle::~IndexHandle() {
  thread_.reset();
  fit_thread_.reset();
}

const IndexHandle* IndexHandle::From(const Napi::Value& value) {
  if (!value.IsObject() || !value.As<Napi::Object>().CheckTypeTag(&kIndexTag)) return nullptr;
  return Unwrap(value.As<Napi::Object>());
}

bool IndexHandle::IsOpen(const Napi::CallbackInfo& info) const {
  const bool is_ours = info.This().IsObject() && info.This().As<Napi::Object>().CheckTypeTag(&kIndexTag);
  if (!is_ours) {
    Napi::TypeError::New(info.Env(), "not an index").ThrowAsJavaScriptException();
  } else if (!core_) {
    ToError(info.Env(), {"CLOSED", "the index is closed"}).ThrowAsJavaScriptException();
  } else {
    return true;
  }
  return false;
}

Napi::Value IndexHandle::Post(const Napi::CallbackInfo& info, JobThread::Work work) {
  if (!IsOpen(info)) return info.Env().Undefined();
  return Guarded(info.Env(), [&](Napi::Value* value) -> Failure {
    *value = thread_->Post(std::move(work));
    return {};
  });
}

Napi::Value IndexHandle::RunOrPost(const Napi::CallbackInfo& info, JobThread::Work work) {
  if (!IsOpen(info)) return info.Env().Undefined();
  return Guarded(info.Env(), [&](Napi::Value* value) -> Failure {
    *value = thread_->RunOrPost(std::move(work));
    ReportMemory(info.Env());
    return {};
  });
}

bool IndexHandle::HasShortMeasuring() {
  if (!thread_->IsResting()) return false;
  const quality::Measurer* measurer = core_->measurer.get();
  return measurer == nullptr ||
         (measurer->queries() <= kSmallWorkload && !measurer->IsDriftDue(*core_->writer.Current()));
}

Napi::Value IndexHandle::Prepare(const Napi::CallbackInfo& info) {
  std::string_view slab, links;
  if (!IsOpen(info) || !BytesOf(info, 0, &slab)) return info.Env().Undefined();
  const bool has_links = info.Length() > 1 && !info[1].IsUndefined();
  if (has_links && !BytesOf(info, 1, &links)) return info.Env().Undefined();
  return Guarded(info.Env(), [&](Napi::Value* value) -> Failure {
    const std::shared_ptr<Core> core = core_;
    // The slabs are copied, since JavaScript may change or detach their buffers while the job waits.
    const auto copy = std::make_shared<const std::string>(slab);
    const auto links_copy = std::make_shared<const std::string>(links);
    const auto prepare = [core, copy, links_copy] { return PreparedIn(core.get(), *copy, *links_copy); };
    is_small_batch_ = IsSmall(core->writer, slab, links);
    *value = is_small_batch_ && HasShortMeasuring() ? RunOrPost(info, prepare) : Post(info, prepare);
    return {};
  });
}

Napi::Value IndexHandle::Measure(const Napi::CallbackInfo& info) {
  const std::shared_ptr<Core> core = core_;
  return Post(info, [core] {
    if (!core->writer.has_prepared()) return Failed("INTERNAL", "no batch is prepared");
    JobClock clock;
    return Giving(std::make_shared<const Measured>(MeasurePrepared(*core, &clock)));
  });
}

Napi::Value IndexHandle::Publish(const Napi::CallbackInfo& info) {
  const std::shared_ptr<Core> core = core_;
  const auto publish = [core] {
    if (!core->writer.has_prepared()) return Failed("INTERNAL", "no batch is prepared");
    if (core->writer.has_flush()) return FailedForFlush();
    JobClock clock;
    core->observer.Start(core->measurer.get());
    auto published = std::make_shared<Published>();
    // Without memory nothing has happened, and the batch is still prepared.
    core->writer.Publish(core->observer.listener());
    // Now it has happened: what is missing for this question only puts a fit off.
    (void)Catching([&]() -> Failure {
      if (core->measurer)
        core->observer.Timed([&] { published->need = core->measurer->NeedOf(*core->writer.Current()); });
      return {};
    });
    const JobClock::Split split = clock.SplitOff(core->observer.spent_ms());
    published->index_us = split.rest_us;
    published->measure_us = split.part_us;
    return Giving(std::shared_ptr<const Published>(std::move(published)));
  };
  return is_small_batch_ && HasShortMeasuring() ? RunOrPost(info, publish) : Post(info, publish);
}

Napi::Value IndexHandle::Discard(const Napi::CallbackInfo& info) {
  if (!IsOpen(info)) return info.Env().Undefined();
  return Guarded(info.Env(), [&](Napi::Value* value) -> Failure {
    const std::shared_ptr<Core> core = core_;
    *value = thread_->Post([core] {
      core->observer.Start(core->measurer.get());
      core->writer.Discard(core->observer.listener());
      return JobResult();
    });
    return {};
  });
}

Napi::Value IndexHandle::Compact(const Napi::CallbackInfo& info) {
  const std::shared_ptr<Core> core = core_;
  return Post(info, [core] {
    if (core->writer.has_flush()) return FailedForFlush();
    core->observer.Start(core->measurer.get());
    core->writer.Compact(core->observer.listener());
    return JobResult();
  });
}

Napi::Value IndexHandle::Check(const Napi::CallbackInfo& info) {
  const std::shared_ptr<Core> core = core_;
  const double level = info[0].IsNumber() ? info[0].As<Napi::Number>().DoubleValue() : 3;
  return Post(info, [core, level] {
    const auto depth = level < 2   ? index::CheckLevel::kChecksums
                       : level < 3 ? index::CheckLevel::kStructure
                                   : index::CheckLevel::kCross;
    auto report = std::make_shared<index::CheckReport>(index::CheckIndex(*core->writer.Current(), depth));
    const Status measured = core->measurer ? core->measurer->Check() : Status();
    if (!measured.ok()) report->faults.push_back({"M1", measured.message()});
    return Giving(std::shared_ptr<const index::CheckReport>(std::move(report)));
  });
}

Napi::Value IndexHandle::Snapshot(const Napi::CallbackInfo& info) {
  if (!IsOpen(info)) return info.Env().Undefined();
  return Guarded(info.Env(), [&](Napi::Value* value) -> Failure {
    SnapshotHandle::Pinned pinned{core_, core_->writer.Current(), cache_};
    const Napi::FunctionReference& constructor = info.Env().GetInstanceData<AddonData>()->snapshot_constructor;
    *value = constructor.New({Napi::External<SnapshotHandle::Pinned>::New(info.Env(), &pinned)});
    return {};
  });
}

// writerUs() -> number: the CPU time of the writer thread, that of beginning and adopting fits left out.
Napi::Value IndexHandle::WriterUs(const Napi::CallbackInfo& info) {
  if (!IsOpen(info)) return info.Env().Undefined();
  return Napi::Number::New(info.Env(), thread_->spent_us() - core_->fitting_us);
}

Napi::Value IndexHandle::Search(const Napi::CallbackInfo& info) {
  return IsOpen(info) ? SearchIn(info, *core_, *core_->writer.Current(), cache_.get()) : info.Env().Undefined();
}

Napi::Value IndexHandle::DocumentsOf(const Napi::CallbackInfo& info) {
  return IsOpen(info) ? DocumentsIn(info, *core_->writer.Current(), cache_.get()) : info.Env().Undefined();
}

Napi::Value IndexHandle::Get(const Napi::CallbackInfo& info) {
  return IsOpen(info) ? GetFrom(info, *core_->writer.Current()) : info.Env().Undefined();
}

Napi::Value IndexHandle::Has(const Napi::CallbackInfo& info) {
  return IsOpen(info) ? HasIn(info, *core_->writer.Current()) : info.Env().Undefined();
}

Napi::Value IndexHandle::NumberOf(const Napi::CallbackInfo& info) {
  return IsOpen(info) ? NumberIn(info, *core_->writer.Current()) : info.Env().Undefined();
}

Napi::Value IndexHandle::List(const Napi::CallbackInfo& info) {
  return IsOpen(info) ? ListIn(info, *core_->writer.Current()) : info.Env().Undefined();
}

Napi::Value IndexHandle::Tokens(const Napi::CallbackInfo& info) {
  return IsOpen(info) ? TokensIn(info, *core_) : info.Env().Undefined();
}

Napi::Value IndexHandle::Complete(const Napi::CallbackInfo& info) {
  return IsOpen(info) ? CompleteIn(info, *core_, *core_->writer.Current(), &completions_) : info.Env().Undefined();
}

Napi::Value IndexHandle::Mark(const Napi::CallbackInfo& info) {
  return IsOpen(info) ? MarkIn(info, *core_, *core_->writer.Current()) : info.Env().Undefined();
}

Napi::Value IndexHandle::TermsOf(const Napi::CallbackInfo& info) {
  return IsOpen(info) ? TermsIn(info, *core_, *core_->writer.Current()) : info.Env().Undefined();
}

Napi::Value IndexHandle::Stats(const Napi::CallbackInfo& info) {
  return IsOpen(info) ? StatsOf(info, *core_->writer.Current()) : info.Env().Undefined();
}

Napi::Value IndexHandle::LoadCurves(const Napi::CallbackInfo& info) {
  return IsOpen(info) ? node::LoadCurves(info, *core_) : info.Env().Undefined();
}

Napi::Value IndexHandle::CurveOf(const Napi::CallbackInfo& info) {
  return IsOpen(info) ? node::CurveOf(info, *core_, *core_->writer.Current()) : info.Env().Undefined();
}

Napi::Value IndexHandle::StakeParts(const Napi::CallbackInfo& info) {
  return IsOpen(info) ? StakePartsOf(info, *core_, *core_->writer.Current()) : info.Env().Undefined();
}

Napi::Value IndexHandle::Analyze(const Napi::CallbackInfo& info) {
  std::string_view text;
  if (!IsOpen(info) || !BytesOf(info, 0, &text)) return info.Env().Undefined();
  return Guarded(info.Env(), [&](Napi::Value* value) -> Failure {
    const index::AnalysisKind analysis = core_->config.query_analysis;
    if (analysis == index::AnalysisKind::kTokens) return {"INTERNAL", "this index has no analyzer of its own"};
    if (text.size() > analysis::kMaxTextBytes) return {"DOCUMENT_TOO_LARGE", "the text is too long to analyse"};
    analysis::TokenList list;
    analysis::Analyze(index::PresetOf(analysis), text, &list);
    std::string out;
    for (const auto& token : list.tokens) {
      AppendValue(&out, uint16_t{token.length});
      AppendValue(&out, token.holes_before);
      out.append(list.text(token));
    }
    *value = ToBytes(info.Env(), out);
    return {};
  });
}

void IndexHandle::Close(const Napi::CallbackInfo& info) {
  if (!info.This().IsObject() || !info.This().As<Napi::Object>().CheckTypeTag(&kIndexTag) || !core_) return;
  thread_->Shutdown();
  fit_thread_->Shutdown();
  core_.reset();
  ReportMemory(info.Env());
}

void IndexHandle::ReportMemory(Napi::Env env) {
  const int64_t bytes = core_ ? static_cast<int64_t>(core_->writer.Current()->memory.held()) : 0;
  if (core_ && bytes < std::max(kLeastReported, 2 * reported_bytes_)) return;
  Napi::MemoryManagement::AdjustExternalMemory(env, bytes - reported_bytes_);
  reported_bytes_ = bytes;
}

}  // namespace freshdex::node
