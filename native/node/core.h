// What an open index consists of, shared by its handle, its snapshots and its writer thread.
#pragma once

#include <memory>

#include "native/index/index_writer.h"
#include "native/index/salvage.h"
#include "native/node/fit_slot.h"
#include "native/node/timed_observer.h"
#include "native/quality/measurer.h"
#include "native/score/similarity.h"

namespace freshdex::node {

struct Core {
  // `store` is null for an index in memory.
  Core(const index::WriterConfig& writer_config, score::Scoring scoring_model, std::unique_ptr<index::IndexStore> store, bool sketches)
      : config(writer_config), scoring(std::move(scoring_model)), wants_sketches(sketches), writer(writer_config, std::move(store)) {}

  const index::WriterConfig config;
  const score::Scoring scoring;
  const bool wants_sketches;      // of the documents that a batch adds or changes
  index::IndexWriter writer;      // writer thread only, but for Current()
  std::shared_ptr<FileSystem> salvage_files;
  std::unique_ptr<index::Salvage> salvage;  // writer thread only: the damaged index whose documents this one takes over, or null
  // What the workload's queries lose and gain by writes. Writer thread only; null: nothing is measured.
  std::unique_ptr<quality::Measurer> measurer;
  TimedObserver observer;         // writer thread only: the measurer, timed
  // Of the batch that is prepared. On disk, a large batch is measured while it is committed; a few documents are not worth another call.
  static constexpr size_t kMeasuredAtOnce = 8;
  bool is_measured_later() const {
    return config.keeps_log && measurer && measurer->has_epoch() && measurer->batch_pages() > kMeasuredAtOnce;
  }
  FitSlot fit;
  bool is_poisoned = false;       // writer thread only: a publication broke off half-way, what follows would be wrong
};

}  // namespace freshdex::node
