// A switch of Open MPI: whether a call that finds nothing to do yields the CPU.
#pragma once

#include <dlfcn.h>

namespace orujo::internal::transport {

// Sets the switch, and returns its previous value. Null if this MPI has no such switch, a function that Open
// MPI's library exports for its own parts (opal/runtime/opal_progress.h).
using mpi_yield_setter = bool (*)(bool);
inline mpi_yield_setter find_mpi_yield_setter() {
  return reinterpret_cast<mpi_yield_setter>(dlsym(RTLD_DEFAULT, "opal_progress_set_yield_when_idle"));
}

// The launcher requests yields (mpi_yield_when_idle), because waiting calls would keep other threads from
// running if there are more locales than CPUs. But MPI_Test yields, too. A poll then takes 0.3 us instead of
// 0.05, and it ends the time slice of a core that computes and only polls in between. Idle cores yield their
// CPU by themselves. Yielding is therefore switched off while the cores run.
class mpi_patience {
 public:
  // Takes effect at once. One thread at a time calls it, as all functions of MPI.
  void yield_when_idle(bool yields) {
    if (yields_ == yields || !set_) return;
    yields_ = yields;
    if (yields) {
      set_(before_);
    } else {
      before_ = set_(false);
    }
  }

 private:
  mpi_yield_setter set_ = find_mpi_yield_setter();
  bool yields_ = true, before_ = true;  // yields_ is MPI's current setting
};

}  // namespace orujo::internal::transport
