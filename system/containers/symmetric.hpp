// Symmetric objects: one copy per core under one handle that can travel.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>

#include "system/base/call_site.hpp"
#include "system/base/check.hpp"
#include "system/base/identity.hpp"
#include "system/loops/forall.hpp"
#include "system/memory/symmetric_heap.hpp"

namespace orujo::internal::containers {

// An object with one copy per core under one handle, which can travel. A core accesses its own copy only.
// sum_of_all() adds up what is in all copies.
template <class T>
class symmetric {
 public:
  // Not for callers: create() and reserve() make handles.
  explicit symmetric(std::uint64_t number) : number_(number) {}

  // [task; suspends] Makes a copy on every core from these arguments, which have to be able to travel. Costs
  // 2 messages per core.
  template <class... Arguments>
  static symmetric create(const Arguments&... arguments) {
    const symmetric made = reserve();
    loops::on_all_cores([=] { made.emplace_here(arguments...); });
    return made;
  }
  // [task; suspends] Makes the copy of every core by make(), which runs on all cores as in on_all_cores() and
  // returns it. The calls may take part in collectives.
  template <class Make>
  static symmetric create_by(const Make& make, const call_site& at = call_site::current()) {
    const symmetric made = reserve();
    loops::on_all_cores([=] { made.emplace_here(make()); }, at);
    return made;
  }
  // [task; suspends] Destroys all copies. No core may use them any more.
  void destroy() const {
    loops::on_all_cores([copies = *this] { copies.erase_here(); });
  }

  // [task or handler] A new handle, without copies yet.
  static symmetric reserve() { return symmetric(memory::symmetric_heap::here().take_number(my_core())); }

  // [task or handler] Makes the calling core's copy from these arguments, in place of one that is there.
  template <class... Arguments>
  T& emplace_here(Arguments&&... arguments) const {
    auto made = std::make_shared<T>(std::forward<Arguments>(arguments)...);
    memory::symmetric_heap::here().put(number_, made);
    return *made;
  }
  // [task or handler] The calling core's copy. Without one it is a misuse. Takes a few instructions.
  T& here() const {
    T* mine = static_cast<T*>(memory::symmetric_heap::here().find(number_));
    require(mine != nullptr, missing);
    return *mine;  // NOLINT(clang-analyzer-core.uninitialized.UndefReturn): required
  }
  // [task or handler] Destroys the calling core's copy. Without one it is a misuse.
  void erase_here() const { require(memory::symmetric_heap::here().erase(number_), missing); }

 private:
  static constexpr const char* missing =
      "an array, container or other symmetric object that this core does not have: destroyed already, or not "
      "made here yet";
  std::uint64_t number_;
};

}  // namespace orujo::internal::containers
