// An open index as JavaScript holds it: reads are answered at once from the current snapshot, writes go to the writer
// thread.
#pragma once

#include <napi.h>

#include <functional>
#include <memory>

#include "native/node/core.h"
#include "native/node/job_thread.h"
#include "native/score/completions.h"
#include "native/score/search_cache.h"

namespace freshdex::node {

class IndexHandle : public Napi::ObjectWrap<IndexHandle> {
 public:
  static Napi::Function Define(Napi::Env env);
  explicit IndexHandle(const Napi::CallbackInfo& info);
  ~IndexHandle() override;

 private:
  Napi::Value Prepare(const Napi::CallbackInfo& info);
  Napi::Value Measure(const Napi::CallbackInfo& info);
  Napi::Value Publish(const Napi::CallbackInfo& info);
  Napi::Value Discard(const Napi::CallbackInfo& info);
  Napi::Value Compact(const Napi::CallbackInfo& info);
  Napi::Value Check(const Napi::CallbackInfo& info);
  // On disk only, in index_handle_disk.cc.
  Napi::Value Load(const Napi::CallbackInfo& info);
  Napi::Value RemoveUnnamed(const Napi::CallbackInfo& info);
  Napi::Value Replay(const Napi::CallbackInfo& info);
  Napi::Value Flush(const Napi::CallbackInfo& info);
  Napi::Value AdoptFlush(const Napi::CallbackInfo& info);
  Napi::Value AbandonFlush(const Napi::CallbackInfo& info);
  Napi::Value CompactStep(const Napi::CallbackInfo& info);
  // On disk only, in index_handle_salvage.cc.
  Napi::Value OpenSalvage(const Napi::CallbackInfo& info);
  Napi::Value OpenSalvageOf(const Napi::CallbackInfo& info);
  Napi::Value PrepareSalvaged(const Napi::CallbackInfo& info);

  // The measurement, in index_handle_measure.cc.
  Napi::Value StartFit(const Napi::CallbackInfo& info);
  Napi::Value RenewEpoch(const Napi::CallbackInfo& info);
  Napi::Value StartExtension(const Napi::CallbackInfo& info);
  Napi::Value Resume(const Napi::CallbackInfo& info);
  Napi::Value Churn(const Napi::CallbackInfo& info);
  Napi::Value WriterUs(const Napi::CallbackInfo& info);
  Napi::Value RunFit(const Napi::CallbackInfo& info);
  Napi::Value AdoptFit(const Napi::CallbackInfo& info);
  Napi::Value AbandonFit(const Napi::CallbackInfo& info);
  Napi::Value StopMeasuring(const Napi::CallbackInfo& info);
  Napi::Value WordsOfHashes(const Napi::CallbackInfo& info);
  Napi::Value KeepShifts(const Napi::CallbackInfo& info);
  Napi::Value MeasureShare(const Napi::CallbackInfo& info);

  Napi::Value Snapshot(const Napi::CallbackInfo& info);
  Napi::Value Search(const Napi::CallbackInfo& info);
  Napi::Value DocumentsOf(const Napi::CallbackInfo& info);
  Napi::Value Get(const Napi::CallbackInfo& info);
  Napi::Value Has(const Napi::CallbackInfo& info);
  Napi::Value NumberOf(const Napi::CallbackInfo& info);
  Napi::Value List(const Napi::CallbackInfo& info);
  Napi::Value Mark(const Napi::CallbackInfo& info);
  Napi::Value TermsOf(const Napi::CallbackInfo& info);
  Napi::Value Complete(const Napi::CallbackInfo& info);
  Napi::Value Tokens(const Napi::CallbackInfo& info);
  Napi::Value Stats(const Napi::CallbackInfo& info);
  Napi::Value LoadCurves(const Napi::CallbackInfo& info);
  Napi::Value CurveOf(const Napi::CallbackInfo& info);
  Napi::Value StakeParts(const Napi::CallbackInfo& info);
  Napi::Value Analyze(const Napi::CallbackInfo& info);
  void Close(const Napi::CallbackInfo& info);

  // The handle behind a value; null when it is something else.
  static const IndexHandle* From(const Napi::Value& value);
  bool IsOpen(const Napi::CallbackInfo& info) const;
  Napi::Value Post(const Napi::CallbackInfo& info, JobThread::Work work);
  // The same for jobs of small batches: see JobThread::RunOrPost().
  Napi::Value RunOrPost(const Napi::CallbackInfo& info, JobThread::Work work);
  // Whether measuring a small batch takes no longer than the JavaScript thread may be held up. False while the writer's
  // thread, to whom the measurer belongs, has something to do.
  bool HasShortMeasuring();
  void ReportMemory(Napi::Env env);

  std::shared_ptr<Core> core_;  // null: closed
  std::unique_ptr<JobThread> thread_;
  std::unique_ptr<JobThread> fit_thread_;  // fitting curves takes long, and writes should not wait for it
  bool is_small_batch_ = false;            // the one that was prepared last
  int64_t reported_bytes_ = 0;
  std::shared_ptr<score::SearchCache> cache_ = std::make_shared<score::SearchCache>();  // its snapshots share it
  score::CompletionCache completions_;
};

}  // namespace freshdex::node
