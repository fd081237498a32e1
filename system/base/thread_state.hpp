// The one thread-local variable of system/: which core the calling thread is, and the parts of this core.
#pragma once

#include <cstddef>

namespace orujo {

// The number of a core in the whole job, 0 to cores() - 1. The cores of a locale are consecutive. A core is
// one thread, which runs the tasks and message handlers of the memory that it owns.
using core_id = int;
// The number of a locale, 0 to locales() - 1. A locale is a process of the job, or in tests a part of one.
using locale_id = int;

class job_shape;  // system/base/shape.hpp

}  // namespace orujo

namespace orujo::internal::base {

// The parts of a core. Each is an object of one class, whose member `part` is its place here:
//   class messenger { public: static constexpr base::core_part part = base::core_part::messenger; ... };
enum class core_part : std::size_t {
  metrics,
  trace,       // while it is recorded
  kept_trace,  // until the next one begins
  step_log,    // while it is recorded
  place,       // NUMA domain
  scheduler,
  messenger,
  heap_segments,
  symmetric_heap,
  work_ledger,
  limits,  // of operations under way
  public_tasks,
  global_heap,
  collective,
  kept_traffic,  // figures that another core fetches
  checkpoints,
  core,
  number_of_parts
};
inline constexpr auto number_of_parts = static_cast<std::size_t>(core_part::number_of_parts);

// Parts that were made where they were first used (made_part()), and end with this object.
class owned_parts {
 public:
  owned_parts() = default;
  owned_parts(const owned_parts&) = delete;
  ~owned_parts();

  struct maker {
    void* (*make)();
    void (*destroy)(void*);
  };
  void* get(core_part which, const maker& how);
  void drop(core_part which);

 private:
  struct owned {
    void* object = nullptr;
    void (*destroy)(void*) = nullptr;
  };
  owned all_[number_of_parts];
};

// Locale and core of a thread, and the core's parts. A core of -1 means that the thread is no core; a locale
// of -1, that it has none yet.
struct thread_identity {
  locale_id locale = -1;
  core_id core = -1;
  // The rest is set for cores only, except for parts that any thread may make.
  int cores = 0, locales = 0;                  // of the job
  int locales_cores = 0, core_of_locale = -1;  // how many there are in this locale, and which of them it is
  const job_shape* shape = nullptr;
  void* parts[number_of_parts] = {};  // by core_part, null where there is none
  owned_parts* owned = nullptr;       // null: made parts belong to the thread

  template <class T>
  void add(T& part) {
    parts[static_cast<std::size_t>(T::part)] = const_cast<void*>(static_cast<const void*>(&part));
  }
};

namespace detail {

struct thread_state {
  thread_identity identity;
  // Of fatal.cpp:
  bool failures_are_thrown = false, is_failing = false;
  void* fatal_text = nullptr;  // a std::string: that of glog's message, until fail() has taken it
};
extern constinit thread_local thread_state this_thread;

void* make_part(core_part which, const owned_parts::maker& how);
void drop_made_part(core_part which);

}  // namespace detail

// [any thread]
inline const thread_identity& my_identity() { return detail::this_thread.identity; }
inline bool is_core() { return my_identity().core >= 0; }

// [any thread] The part of the calling core, or null. One load.
template <class T>
T* part_here() {
  return static_cast<T*>(my_identity().parts[static_cast<std::size_t>(T::part)]);
}
// [any thread] Sets the part of the calling thread, or removes it.
template <class T>
void set_part_here(T* part) {
  detail::this_thread.identity.parts[static_cast<std::size_t>(T::part)] =
      const_cast<void*>(static_cast<const void*>(part));
}
namespace detail {
template <class T>
[[gnu::noinline]] T* make_part_here() {
  return static_cast<T*>(make_part(
      T::part, {[]() -> void* { return new T; }, [](void* made) { delete static_cast<T*>(made); }}));
}
}  // namespace detail

// [any thread] The part of the calling core, which the first call makes. It ends with the core or, on a
// thread that is no core, with the thread.
template <class T>
T& made_part() {
  T* found = part_here<T>();
  if (found == nullptr) [[unlikely]]
    found = detail::make_part_here<T>();
  return *found;
}
// [any thread] Ends a part that made_part() has made, if there is one.
template <class T>
void drop_part() {
  detail::drop_made_part(T::part);
}

// Makes the calling thread a core until the end of the C++ scope. Then it is what it was before.
class core_binding {
 public:
  explicit core_binding(const thread_identity& core) : before_(detail::this_thread.identity) {
    detail::this_thread.identity = core;
  }
  ~core_binding() { detail::this_thread.identity = before_; }
  core_binding(const core_binding&) = delete;

 private:
  const thread_identity before_;
};

// Sets only the locale and core that messages of fail() show for this thread.
void set_identity(locale_id locale, core_id core);

// In a child that this process has forked: its thread is no core, and what it asks of the job is refused.
void leave_job_in_child();
[[nodiscard]] bool is_forked_child();

}  // namespace orujo::internal::base
