// A lock on a file that the operating system lets go when its holder dies, however it dies: nothing stale is ever left
// to remove by hand.
#pragma once

#include <memory>
#include <string>

#include "native/base/status.h"

namespace freshdex {

class FileLock {
 public:
  virtual ~FileLock() = default;

  // Creates the file if need be and locks it, without waiting. kLocked when anybody else holds it, in this process or
  // in another; the message then names the process that the file names. Destruction lets the lock go. The file
  // stays: removing it would let two holders in.
  static Result<std::unique_ptr<FileLock>> Take(const std::string& path);
};

}  // namespace freshdex
