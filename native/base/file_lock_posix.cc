#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "native/base/file_lock.h"

namespace freshdex {
namespace {

class PosixFileLock final : public FileLock {
 public:
  explicit PosixFileLock(int descriptor) : descriptor_(descriptor) {}
  ~PosixFileLock() override { close(descriptor_); }

 private:
  const int descriptor_;
};

Status LockFailure(const char* operation, const std::string& path) {
  std::string message = operation;
  message += " '" + path + "': " + std::strerror(errno);
  return Status(Code::kIo, std::move(message), path, 0);
}

// The process id that the file names. Only digits are taken, since the file may hold anything.
std::string HolderOf(int descriptor) {
  char text[32];
  const ssize_t length = pread(descriptor, text, sizeof(text), 0);
  std::string digits;
  for (ssize_t i = 0; i < length && text[i] >= '0' && text[i] <= '9'; ++i) digits.push_back(text[i]);
  return digits;
}

// Whether the file holds nothing but the id of a process, as we write it. What holds anything else is somebody's, under
// another name (a hard link), and is not overwritten.
bool IsOurs(int descriptor) {
  char text[32];
  const ssize_t length = pread(descriptor, text, sizeof(text), 0);
  if (length == 0) return true;
  if (length < 0 || length == ssize_t{sizeof(text)} || text[length - 1] != '\n') return false;
  return std::all_of(text, text + length - 1, [](char digit) { return digit >= '0' && digit <= '9'; });
}

}  // namespace

// flock and not fcntl: its locks belong to the open file and not to the process, so that a second opening in the same
// process is refused too and closing some other descriptor of the file does not let the lock go.
Result<std::unique_ptr<FileLock>> FileLock::Take(const std::string& path) {
  const int descriptor = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0666);
  if (descriptor < 0) return LockFailure("open", path);
  auto lock = std::make_unique<PosixFileLock>(descriptor);
  struct stat about;
  if (fstat(descriptor, &about) != 0) return LockFailure("look at", path);
  if (!S_ISREG(about.st_mode)) return Status(Code::kIo, "'" + path + "' is no plain file", path, 0);
  while (flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
    if (errno == EINTR) continue;
    if (errno != EWOULDBLOCK) return LockFailure("lock", path);
    const std::string holder = HolderOf(descriptor);
    std::string message = "'" + path + "' is locked by another writer";
    if (!holder.empty()) message += ", process " + holder;
    return Status(Code::kLocked, std::move(message), path, 0);
  }
  // The process id serves the message above only: one that cannot be written is no reason to refuse the lock.
  const std::string name = std::to_string(getpid()) + "\n";
  [[maybe_unused]] const bool is_named =
      IsOurs(descriptor) && ftruncate(descriptor, 0) == 0 && pwrite(descriptor, name.data(), name.size(), 0) > 0;
  return std::unique_ptr<FileLock>(std::move(lock));
}

}  // namespace freshdex
