#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

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

}  // namespace

// flock and not fcntl: its locks belong to the open file and not to the process, so that a second opening in the same
// process is refused too and closing some other descriptor of the file does not let the lock go.
Result<std::unique_ptr<FileLock>> FileLock::Take(const std::string& path) {
  const int descriptor = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (descriptor < 0) return LockFailure("open", path);
  auto lock = std::make_unique<PosixFileLock>(descriptor);
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
      ftruncate(descriptor, 0) == 0 && pwrite(descriptor, name.data(), name.size(), 0) > 0;
  return std::unique_ptr<FileLock>(std::move(lock));
}

}  // namespace freshdex
