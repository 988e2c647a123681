// What an open index consists of, shared by its handle, its snapshots and its writer thread. "Writer thread only" is
// also the JavaScript thread while the writer thread rests: see JobThread::RunOrPost().
#pragma once

#include <atomic>
#include <memory>
#include <utility>

#include "native/index/index_writer.h"
#include "native/index/salvage.h"
#include "native/node/fit_slot.h"
#include "native/node/measuring_slot.h"
#include "native/node/timed_observer.h"
#include "native/quality/measurer.h"
#include "native/score/similarity.h"

namespace freshdex::node {

struct Core {
  // `store` is null for an index in memory.
  Core(const index::WriterConfig& writer_config, score::Scoring scoring_model, std::unique_ptr<index::IndexStore> store,
       bool sketches)
      : config(writer_config),
        scoring(std::move(scoring_model)),
        wants_sketches(sketches),
        writer(writer_config, std::move(store)) {}

  const index::WriterConfig config;
  const score::Scoring scoring;
  const bool wants_sketches;  // Prepare() also makes sketches of the documents that the batch adds or changes
  index::IndexWriter writer;  // writer thread only, but for Current()
  // The damaged index whose documents this one takes over, or null. Writer thread only.
  std::unique_ptr<index::Salvage> salvage;
  // Measures what the workload's queries lose and gain by writes. Null: nothing is measured. Writer thread only.
  std::unique_ptr<quality::Measurer> measurer;
  TimedObserver observer;  // passes the writer's calls on to `measurer` and times them; writer thread only
  // A prepared batch of more pages than this, on disk, is measured by a call of its own while it is committed. For
  // fewer pages the call, and a second message to the thread that commits, take more CPU time than the wait is worth.
  static constexpr size_t kMeasuredAtOnce = 256;
  bool is_measured_later() const {
    return config.keeps_log && measurer && measurer->has_epoch() && measurer->batch_pages() > kMeasuredAtOnce;
  }
  FitSlot fit;
  // CPU time of the writer thread for beginning and adopting fits. Written by that thread, read by any.
  std::atomic<double> fitting_us = 0;
  // Hands a fit over that `clock` saw being made. Writer thread only.
  void StartFit(quality::FitRequest request, const JobClock& clock) {
    const double spent_us = clock.Us();
    fitting_us = fitting_us + spent_us;
    fit.Start(std::move(request), spent_us);
  }
  MeasuringSlot measuring;  // what `measurer` measures by, for explanations
  void ShowMeasuring() {
    measuring.Set({measurer->shared_epoch(), measurer->shared_curves(), measurer->shared_view()});
  }
};

}  // namespace freshdex::node
