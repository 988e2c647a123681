// A thread that works off jobs one after another. JavaScript posts jobs and gets promises. An index has two of these
// threads: one on which it is written, which also folds and merges between jobs, and one on which curves are fitted.
//
// The process stays alive while a job is outstanding and may end when none is. Shutdown() lets the running job end and
// drops the rest. It happens at close(), when the handle is collected, or when the environment ends, whichever comes
// first.
#pragma once

#include <napi.h>

#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "native/node/failure.h"

namespace freshdex::node {

// What a job gives back. `make` runs on the JavaScript thread; it returns an empty value when the environment is
// ending. Without it the promise resolves to undefined.
struct JobResult {
  Failure failure;
  std::function<Napi::Value(Napi::Env)> make;
};

class JobThread {
 public:
  using Work = std::function<JobResult()>;

  // `name` is what tools that trace asynchronous resources show. `idle_work` runs on the thread after every job, again
  // and again until it returns false: nothing is left to do. `on_busy` and `on_idle` run on the JavaScript thread, when
  // the first job is posted and when the last one is settled.
  JobThread(Napi::Env env, std::string name, std::function<bool()> idle_work, std::function<void()> on_busy,
            std::function<void()> on_idle);
  ~JobThread() { Shutdown(); }
  JobThread(const JobThread&) = delete;
  JobThread& operator=(const JobThread&) = delete;

  // JavaScript thread. REQUIRES: not shut down.
  Napi::Promise Post(Work work);
  // JavaScript thread; idempotent.
  void Shutdown();
  // The CPU time of the thread up to its last job or idle work, in microseconds.
  double spent_us() const { return spent_us_; }

 private:
  struct Job {
    explicit Job(Napi::Env env) : deferred(Napi::Promise::Deferred::New(env)) {}
    Napi::Promise::Deferred deferred;
    Work work;
    JobResult result;
  };

  void Start();
  void Loop();
  static void Settle(napi_env env, napi_value, void* context, void* data);
  static void OnEnvironmentEnd(void* self) { static_cast<JobThread*>(self)->Shutdown(); }

  std::atomic<double> spent_us_ = 0;
  const Napi::Env env_;
  const std::string name_;
  const std::function<bool()> idle_work_;
  const std::function<void()> on_busy_;
  const std::function<void()> on_idle_;

  // JavaScript thread only.
  napi_threadsafe_function settle_ = nullptr;
  std::thread thread_;
  size_t outstanding_ = 0;

  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<std::unique_ptr<Job>> queue_;  // guarded by mutex_
  bool is_stopping_ = false;                // guarded by mutex_
};

}  // namespace freshdex::node
