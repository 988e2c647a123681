/*
 * A disk that fails when it is told to, or is slow, for every file below one folder: preloaded into a process, it
 * stands between that process and the calls that change files. Everything else goes through.
 *
 * FAILING_DISK_FOLDER  the folder, an absolute path
 * FAILING_DISK_DELAY   microseconds that every call takes longer; may be absent, and so may the control then
 * FAILING_DISK_CONTROL a file of 168 bytes that is mapped here and that the test reads and writes:
 *
 *   offset  size  meaning
 *   0       8     calls counted so far; the test sets it to 0
 *   8       8     the number of the call to fail, from 1; 0: none
 *   16      8     0: that call alone; 1: that call and all after it
 *   24      8     the errno to fail with; 0: the call writes half of its bytes and says so
 *   32      8     how many calls failed so far; the test sets it to 0
 *   40      128   the first of them: its function and the file below the folder, ended by a zero
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/types.h>
#include <unistd.h>

struct Control {
  _Atomic uint64_t calls;
  _Atomic uint64_t at;
  _Atomic uint64_t lasts;
  _Atomic uint64_t error;
  _Atomic uint64_t failed;
  char first[128];
};

static struct Control* control;
static const char* folder;
static useconds_t delay;

__attribute__((constructor)) static void Connect(void) {
  const char* path = getenv("FAILING_DISK_CONTROL");
  const char* microseconds = getenv("FAILING_DISK_DELAY");
  folder = getenv("FAILING_DISK_FOLDER");
  if (folder != NULL && microseconds != NULL) delay = (useconds_t)atoi(microseconds);
  if (path == NULL || folder == NULL) return;
  const int descriptor = open(path, O_RDWR | O_CLOEXEC);
  if (descriptor < 0) abort();
  void* memory = mmap(NULL, sizeof(struct Control), PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  if (memory == MAP_FAILED) abort();
  close(descriptor);
  control = memory;
}

/* The part of the file's path behind the folder, in `path`; NULL for files that lie elsewhere. */
static const char* PathBelowFolder(int descriptor, char* path, size_t size) {
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  const ssize_t length = readlink(link, path, size - 1);
  if (length <= 0) return NULL;
  path[length] = '\0';
  return strncmp(path, folder, strlen(folder)) == 0 ? path + strlen(folder) : NULL;
}

enum Verdict { kPass, kFail, kShort };

/* Counts the call. On kFail errno is set. */
static enum Verdict Judge(const char* function, int descriptor) {
  if (control == NULL && delay == 0) return kPass;
  char path[4096];
  const int saved = errno;
  const char* name = PathBelowFolder(descriptor, path, sizeof path);
  errno = saved;
  if (name == NULL) return kPass;
  if (delay > 0) usleep(delay);
  if (control == NULL) return kPass;
  const uint64_t call = atomic_fetch_add(&control->calls, 1) + 1;
  const uint64_t at = atomic_load(&control->at);
  if (at == 0 || call < at || (call > at && atomic_load(&control->lasts) == 0)) return kPass;
  if (atomic_fetch_add(&control->failed, 1) == 0) snprintf(control->first, sizeof control->first, "%s %.100s", function, name);
  if (atomic_load(&control->error) == 0) return kShort;
  errno = (int)atomic_load(&control->error);
  return kFail;
}

/* The next definition behind ours: that of the C library. */
#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static size_t Shortened(enum Verdict verdict, size_t size) { return verdict == kShort && size > 1 ? size / 2 : size; }

ssize_t write(int descriptor, const void* bytes, size_t size) {
  const enum Verdict verdict = Judge(__func__, descriptor);
  return verdict == kFail ? -1 : REAL(write)(descriptor, bytes, Shortened(verdict, size));
}

ssize_t pwrite(int descriptor, const void* bytes, size_t size, off_t offset) {
  const enum Verdict verdict = Judge(__func__, descriptor);
  return verdict == kFail ? -1 : REAL(pwrite)(descriptor, bytes, Shortened(verdict, size), offset);
}

ssize_t pwrite64(int descriptor, const void* bytes, size_t size, off64_t offset) {
  const enum Verdict verdict = Judge(__func__, descriptor);
  return verdict == kFail ? -1 : REAL(pwrite64)(descriptor, bytes, Shortened(verdict, size), offset);
}

int ftruncate(int descriptor, off_t length) { return Judge(__func__, descriptor) == kFail ? -1 : REAL(ftruncate)(descriptor, length); }

int ftruncate64(int descriptor, off64_t length) {
  return Judge(__func__, descriptor) == kFail ? -1 : REAL(ftruncate64)(descriptor, length);
}

int fsync(int descriptor) { return Judge(__func__, descriptor) == kFail ? -1 : REAL(fsync)(descriptor); }

int fdatasync(int descriptor) { return Judge(__func__, descriptor) == kFail ? -1 : REAL(fdatasync)(descriptor); }
