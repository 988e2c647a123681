// Where tests make their folders: in memory where there is such a place with enough room, otherwise among the temporary
// files. No test asks whether bytes survive a loss of power, so that waiting for a disk would prove nothing.
#pragma once

#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <system_error>

namespace freshdex::test {

inline std::filesystem::path TemporaryRoot() {
  constexpr uint64_t kEnoughBytes = uint64_t{1} << 30;
  const char* const memory = "/dev/shm";
  std::error_code error;
  const std::filesystem::space_info space = std::filesystem::space(memory, error);
  const bool has_room = !error && space.available >= kEnoughBytes && ::access(memory, W_OK) == 0;
  return has_room ? std::filesystem::path(memory) : std::filesystem::temp_directory_path();
}

}  // namespace freshdex::test
