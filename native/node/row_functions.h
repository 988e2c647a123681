// Rows of tables that JavaScript keeps column by column, gathered and put back in one call.
#pragma once

#include <napi.h>

namespace freshdex::node {

// Adds gatherRows and scatterRows; their types: src/core/addon-shape.ts.
void DefineRowFunctions(Napi::Env env, Napi::Object exports);

}  // namespace freshdex::node
