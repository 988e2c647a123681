// A search on a thread of its own: libuv's, of which the process has several.
#pragma once

#include <napi.h>

#include <memory>

#include "native/index/snapshot.h"
#include "native/node/core.h"

namespace freshdex::node {

// searchAsync(the arguments of a SearchCall) -> { promise, cancel }. The promise gives an ArrayBuffer, as search()
// does, or undefined once cancel() was called in time.
Napi::Value SearchAsyncIn(const Napi::CallbackInfo& info, std::shared_ptr<const Core> core,
                          std::shared_ptr<const index::Snapshot> snapshot);

}  // namespace freshdex::node
