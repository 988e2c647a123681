// What the addon keeps per environment (main thread or worker): nothing is global, so several may load it at once.
#pragma once

#include <napi.h>

namespace freshdex::node {

struct AddonData {
  Napi::FunctionReference snapshot_constructor;
};

}  // namespace freshdex::node
