// Curves between JavaScript and the core: those that were kept, and what is told of them.
#pragma once

#include <napi.h>

#include <memory>
#include <string>
#include <vector>

#include "native/node/core.h"
#include "native/quality/stored_curves.h"

namespace freshdex::node {

// Curves as the catalog has them, copied.
struct KeptCurves {
  std::string statistics;
  std::string churn;
  std::vector<uint32_t> ids;
  std::string bytes;
  std::vector<uint32_t> ends;  // into `bytes`, one for each id

  // By id; views into `bytes`.
  quality::CurveRows Rows() const;
};
// From { statistics, churn, ids, bytes, ends }; null (and a pending TypeError) for anything else.
std::shared_ptr<const KeptCurves> ReadKept(const Napi::CallbackInfo& info, size_t argument);

// loadCurves(workload, pieces, view, kept) -> boolean: what explains from now on, for an index that measures nothing.
Napi::Value LoadCurves(const Napi::CallbackInfo& info, Core& core);
// curveOf(id) -> the curve of a query beside its answers; undefined without one.
Napi::Value CurveOf(const Napi::CallbackInfo& info, const Core& core, const index::Snapshot& snapshot);
// stakeParts(document, limit) -> the queries that make its stake; undefined when nothing is measured.
Napi::Value StakePartsOf(const Napi::CallbackInfo& info, const Core& core, const index::Snapshot& snapshot);

}  // namespace freshdex::node
