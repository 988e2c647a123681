// All file operations of the core go through this seam, so that tests can fail, tear and drop them.
//
// Every operation that can fail says so: kDiskFull when there is no room, else kIo, with the operation, the path and
// the system's reason. A failed Sync() is final for its file: the kernel may have dropped the data and marked it clean,
// so nobody tries again.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "native/base/status.h"

namespace freshdex {

// A file being written, from its beginning to its end. Destruction closes it.
class WritableFile {
 public:
  virtual ~WritableFile() = default;
  virtual Status Append(std::string_view bytes) = 0;
  // The bytes appended so far survive a loss of power; the file's name may still not: see FileSystem::SyncFolder.
  virtual Status Sync() = 0;
};

// A file's bytes, mapped for reading. They stay readable after the file is removed.
class MappedFile {
 public:
  virtual ~MappedFile() = default;
  std::string_view bytes() const { return bytes_; }

 protected:
  std::string_view bytes_;
};

class FileSystem {
 public:
  virtual ~FileSystem() = default;
  // Fails when the file exists: names are never reused.
  virtual Result<std::unique_ptr<WritableFile>> Create(const std::string& path) = 0;
  // Fails with kCorrupt for what is no plain file: a link, a pipe, a device. It does not wait for it.
  virtual Result<std::shared_ptr<const MappedFile>> Map(const std::string& path) = 0;
  virtual Status Remove(const std::string& path) = 0;
  // Names in a folder, in no particular order. A link to a folder is none: kCorrupt.
  virtual Result<std::vector<std::string>> List(const std::string& folder) = 0;
  // Creations and removals in the folder survive a loss of power.
  virtual Status SyncFolder(const std::string& folder) = 0;
};

std::shared_ptr<FileSystem> MakePosixFileSystem();

}  // namespace freshdex
