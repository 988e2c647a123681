#include <dirent.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <mutex>
#include <vector>

#include "native/base/files.h"

namespace freshdex {
namespace {

Status FileFailure(const char* operation, const std::string& path) {
  const bool is_full = errno == ENOSPC || errno == EDQUOT;
  std::string message = operation;
  message += " '" + path + "': " + std::strerror(errno);
  return Status(is_full ? Code::kDiskFull : Code::kIo, std::move(message), path, 0);
}

Status NotPlain(const std::string& path, const char* kind) {
  return Status(Code::kCorrupt, "'" + path + "' is no plain " + kind, path, 0);
}

class PosixWritableFile final : public WritableFile {
 public:
  PosixWritableFile(std::string path, int descriptor) : path_(std::move(path)), descriptor_(descriptor) {}
  ~PosixWritableFile() override { close(descriptor_); }

  Status Append(std::string_view bytes) override {
    while (!bytes.empty()) {
      const ssize_t written = write(descriptor_, bytes.data(), bytes.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) return FileFailure("write", path_);
      bytes.remove_prefix(static_cast<size_t>(written));
    }
    return {};
  }

  Status Sync() override { return fsync(descriptor_) == 0 ? Status() : FileFailure("sync", path_); }

 private:
  const std::string path_;
  const int descriptor_;
};

class PosixMappedFile final : public MappedFile {
 public:
  PosixMappedFile(void* memory, size_t length) : memory_(memory), length_(length) {
    bytes_ = {static_cast<const char*>(memory), length};
  }
  ~PosixMappedFile() override {
    if (length_ > 0) munmap(memory_, length_);
  }

 private:
  void* const memory_;
  const size_t length_;
};

// Read piece by piece, when a piece is first wanted.
class PosixReadFile final : public MappedFile {
 public:
  // Takes the descriptor over. `memory` has room for `length` bytes.
  PosixReadFile(std::string path, int descriptor, void* memory, size_t length)
      : path_(std::move(path)),
        descriptor_(descriptor),
        memory_(static_cast<char*>(memory)),
        length_(length),
        is_fetched_((length + kPieceBytes - 1) / kPieceBytes, false) {
    bytes_ = {memory_, length};
  }
  ~PosixReadFile() override {
    close(descriptor_);
    if (length_ > 0) munmap(memory_, length_);
  }

  bool is_mapped() const override { return false; }

  Status Fetch(size_t offset, size_t count) const override {
    if (count == 0) return {};
    // What one thread reads, another may be looking at already: a piece is read once.
    const std::lock_guard lock(mutex_);
    for (size_t piece = offset / kPieceBytes; piece * kPieceBytes < offset + count; ++piece) {
      if (is_fetched_[piece]) continue;
      const size_t begin = piece * kPieceBytes;
      Status status = Read(begin, std::min(kPieceBytes, length_ - begin), memory_ + begin);
      if (!status.ok()) return status;
      is_fetched_[piece] = true;
    }
    return {};
  }

  Result<std::string_view> Reread(size_t offset, size_t count, std::string* room) const override {
    room->resize(count);
    Status status = Read(offset, count, room->data());
    if (!status.ok()) return status;
    return std::string_view(*room);
  }

 private:
  static constexpr size_t kPieceBytes = 16384;

  Status Read(size_t offset, size_t count, char* to) const {
    for (size_t done = 0; done < count;) {
      const ssize_t got = pread(descriptor_, to + done, count - done, static_cast<off_t>(offset + done));
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) return FileFailure("read", path_);
      if (got == 0) {
        return Status(Code::kCorrupt,
                      "'" + path_ + "' was cut off while it was open, at byte " + std::to_string(offset + done), path_,
                      offset + done);
      }
      done += static_cast<size_t>(got);
    }
    return {};
  }

  const std::string path_;
  const int descriptor_;
  char* const memory_;
  const size_t length_;
  mutable std::mutex mutex_;
  mutable std::vector<bool> is_fetched_;  // guarded by mutex_
};

class PosixFileSystem final : public FileSystem {
 public:
  explicit PosixFileSystem(FileAccess access) : access_(access) {}

  Result<std::unique_ptr<WritableFile>> Create(const std::string& path) override {
    const int descriptor = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor < 0) return FileFailure("create", path);
    return std::unique_ptr<WritableFile>(std::make_unique<PosixWritableFile>(path, descriptor));
  }

  // A folder may come from somebody else: a link would lead out of it, and a pipe would keep the opening waiting.
  Result<std::shared_ptr<const MappedFile>> Map(const std::string& path) override {
    const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (descriptor < 0 && errno == ELOOP) return NotPlain(path, "file");
    if (descriptor < 0) return FileFailure("open", path);
    struct stat about;
    void* memory = nullptr;
    bool is_mapped = fstat(descriptor, &about) == 0;
    if (is_mapped && !S_ISREG(about.st_mode)) {
      close(descriptor);
      return NotPlain(path, "file");
    }
    const size_t length = is_mapped ? static_cast<size_t>(about.st_size) : 0;
    if (is_mapped && length > 0) {
      memory = access_ == FileAccess::kMapped
                   ? mmap(nullptr, length, PROT_READ, MAP_SHARED, descriptor, 0)
                   : mmap(nullptr, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
      is_mapped = memory != MAP_FAILED;
    }
    const Status status = is_mapped ? Status() : FileFailure("map", path);
    if (is_mapped && access_ == FileAccess::kRead)
      return std::shared_ptr<const MappedFile>(std::make_shared<PosixReadFile>(path, descriptor, memory, length));
    close(descriptor);
    if (!is_mapped) return status;
    return std::shared_ptr<const MappedFile>(std::make_shared<PosixMappedFile>(memory, length));
  }

  Status Remove(const std::string& path) override {
    return unlink(path.c_str()) == 0 ? Status() : FileFailure("remove", path);
  }

  Result<std::vector<std::string>> List(const std::string& folder) override {
    const int descriptor = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
    if (descriptor < 0 && (errno == ELOOP || errno == ENOTDIR)) return NotPlain(folder, "folder");
    DIR* listing = descriptor < 0 ? nullptr : fdopendir(descriptor);
    if (!listing) {
      const Status status = FileFailure("list", folder);
      if (descriptor >= 0) close(descriptor);
      return status;
    }
    std::vector<std::string> names;
    while (const dirent* entry = readdir(listing)) {
      const std::string name = entry->d_name;
      if (name != "." && name != "..") names.push_back(name);
    }
    closedir(listing);
    return names;
  }

  Status SyncFolder(const std::string& folder) override {
    const int descriptor = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0) return FileFailure("open", folder);
    const Status status = fsync(descriptor) == 0 ? Status() : FileFailure("sync", folder);
    close(descriptor);
    return status;
  }

 private:
  const FileAccess access_;
};

}  // namespace

std::shared_ptr<FileSystem> MakePosixFileSystem(FileAccess access) { return std::make_shared<PosixFileSystem>(access); }

}  // namespace freshdex
