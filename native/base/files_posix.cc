#include <dirent.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

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

class PosixFileSystem final : public FileSystem {
 public:
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
      memory = mmap(nullptr, length, PROT_READ, MAP_SHARED, descriptor, 0);
      is_mapped = memory != MAP_FAILED;
    }
    const Status status = is_mapped ? Status() : FileFailure("map", path);
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
};

}  // namespace

std::shared_ptr<FileSystem> MakePosixFileSystem() { return std::make_shared<PosixFileSystem>(); }

}  // namespace freshdex
