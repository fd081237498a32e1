// A stand-in for a pointer to a variable of the sending task, for closures that travel.
#pragma once

#include "system/base/identity.hpp"
#include "system/memory/global_address.hpp"

namespace orujo::internal {

// Used like a pointer, only at the core that made it:
//   loops::on_all_cores([to = at_home(sum)] { if (my_core() == 0) *to = 1; });
template <class T>
class at_home {
 public:
  explicit at_home(T& variable) : at_(my_core(), &variable) {}
  operator T*() const { return at_.local(); }
  T& operator*() const { return *at_.local(); }
  T* operator->() const { return at_.local(); }

 private:
  memory::global_address<T> at_;
};

}  // namespace orujo::internal
