// Whether Open MPI gives the CPU away whenever a call finds nothing to do.
#pragma once

#include <dlfcn.h>

namespace orujo::transport {

// Sets it, and returns what was so before. Null where this MPI has no such switch, which is a function that
// Open MPI's library for all its parts exports (opal/runtime/opal_progress.h).
using mpi_yield_setter = bool (*)(bool);
inline mpi_yield_setter find_mpi_yield_setter() {
  return reinterpret_cast<mpi_yield_setter>(dlsym(RTLD_DEFAULT, "opal_progress_set_yield_when_idle"));
}

// The launcher asks for it (mpi_yield_when_idle), as calls that wait would keep others from running where
// there are more locales than CPUs. But MPI_Test does the same: 0.3 us for a look that takes 0.05, and where
// others run it ends the time slice of a core that computes and only looks by. Cores without work give their
// CPU away by themselves. So it is switched off while they run.
class mpi_patience {
 public:
  // From now on. By one thread at a time, as all that calls MPI.
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
  bool yields_ = true, before_ = true;  // yields_: as MPI was told to
};

}  // namespace orujo::transport
