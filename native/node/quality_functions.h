// The mathematics of measuring as functions of the addon: they need no index.
#pragma once

#include <napi.h>

namespace freshdex::node {

// Adds fitCurve, interpolateCurve, rankOf, scoreAt and deltaQuality; their types: src/core/addon-shape.ts.
void DefineQualityFunctions(Napi::Env env, Napi::Object exports);

}  // namespace freshdex::node
