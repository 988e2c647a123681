// The configuration of an index as JavaScript gives it (NativeConfig in src/core/addon-shape.ts).
#pragma once

#include <napi.h>

#include <memory>

#include "native/index/index_store.h"
#include "native/index/index_writer.h"
#include "native/score/similarity.h"

namespace freshdex::node {

struct IndexConfig {
  index::WriterConfig writer;
  score::Scoring scoring;
  bool wants_sketches = false;
  std::unique_ptr<index::IndexStore> store;  // null: in memory
};

// Every value from outside is checked; false leaves a pending TypeError.
bool ReadConfig(const Napi::Object& given, IndexConfig* config);

}  // namespace freshdex::node
