// Runs the native tests: all of them, or those whose "Suite.Name" contains the first argument.
#include <string_view>

#include "test/native/harness.h"

int main(int argc, char** argv) {
  const std::string_view filter = argc > 1 ? std::string_view(argv[1]) : std::string_view();
  return freshdex::test::RunAll(filter) == 0 ? 0 : 1;
}
