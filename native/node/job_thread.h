// A thread that works off jobs one after another. JavaScript posts jobs and gets promises. An index has two of these
// threads: one on which it is written, which also folds and merges between jobs, and one on which curves are fitted.
//
// While the thread has nothing to do, the JavaScript thread may run a job in its place: for a small job the way to
// another thread and back takes longer than the job.
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

  // What the thread does between jobs. `step` runs on the thread after every job, again and again until it returns
  // false: nothing is left to do. `is_due` runs on the JavaScript thread while the thread rests; false: a step would
  // find nothing.
  struct IdleWork {
    std::function<bool()> step = [] { return false; };
    std::function<bool()> is_due = [] { return false; };
  };

  // `name` is what tools that trace asynchronous resources show. `on_busy` and `on_idle` run on the JavaScript thread,
  // when the first job is posted and when the last one of those is settled.
  JobThread(Napi::Env env, std::string name, IdleWork idle_work, std::function<void()> on_busy,
            std::function<void()> on_idle);
  ~JobThread() { Shutdown(); }
  JobThread(const JobThread&) = delete;
  JobThread& operator=(const JobThread&) = delete;

  // JavaScript thread. REQUIRES: not shut down.
  Napi::Promise Post(Work work);
  // The same for a job that is short enough to hold up the JavaScript thread: it is run there and then if the thread
  // rests, and the promise is settled by then. A program that awaits one job after another would never get to its event
  // loop that way: after kMostHereMs of them, a job is posted.
  Napi::Promise RunOrPost(Work work);
  // JavaScript thread. False while the thread works or has something to do. While it rests it waits for the JavaScript
  // thread, which may then use all that belongs to the thread.
  bool IsResting();
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
  static void Run(Job* job);
  void SettleJob(Job* job);
  static void Settle(napi_env env, napi_value, void* context, void* data);
  static void OnEnvironmentEnd(void* self) { static_cast<JobThread*>(self)->Shutdown(); }

  // A write does about as much again in JavaScript and in its catalog for each part here, or a few times that.
  static constexpr double kMostHereMs = 2;

  std::atomic<double> spent_us_ = 0;
  const Napi::Env env_;
  const std::string name_;
  const IdleWork idle_work_;
  const std::function<void()> on_busy_;
  const std::function<void()> on_idle_;

  // JavaScript thread only.
  napi_threadsafe_function settle_ = nullptr;
  std::thread thread_;
  size_t outstanding_ = 0;
  double here_ms_ = 0;  // what jobs have taken on the JavaScript thread since the last one was posted

  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<std::unique_ptr<Job>> queue_;  // guarded by mutex_
  bool is_working_ = false;                 // guarded by mutex_: on a job, or on idle work
  bool wants_idle_work_ = false;            // guarded by mutex_: without a job
  bool is_stopping_ = false;                // guarded by mutex_
};

}  // namespace freshdex::node
