// What the measurement is told from JavaScript.
#pragma once

#include <napi.h>

#include <cstdint>
#include <memory>

#include "native/quality/view_likelihood.h"

namespace freshdex::node {

// Each is false (and an error pending) for anything else than it reads.
bool ReadPieces(const Napi::CallbackInfo& info, size_t argument, uint32_t* pieces);
// undefined for r^-3/2, or { head: Float64Array, tail: Float64Array } with rank and value of the tail's points in turn.
bool ReadView(const Napi::CallbackInfo& info, size_t argument, std::shared_ptr<const quality::ViewLikelihood>* view);

}  // namespace freshdex::node
