#include "framework/gas/device_code.hpp"

#include "system/base/fatal.hpp"
#include "system/base/identity.hpp"
#include "system/checkpoint/run_checkpoints.hpp"

namespace orujo::internal::gas::detail {

void refuse_device(device::kind wanted) {
  base::fail(exit_status::usage,
             wanted == device::kind::emulated
                 ? "gas::run: this vertex program has no code for an emulated GPU: add template struct "
                   "orujo::runs_on<program, orujo::emulated_gpu>, or remove --device"
                 : "gas::run: this vertex program has no code for GPUs: add a source for CUDA's compiler "
                   "with template struct orujo::runs_on<program, orujo::cuda_gpu>, or remove --device");
}

void leave_to_cpu(const device::selection& device) {
  device::all_have_gpus(device, device::why_no_gpu().value_or("this vertex program has no code for GPUs"));
}

void refuse_checkpoints_on_gpus(bool wanted) {
  if (!wanted || !checkpoint::wanted() || my_core() != 0) return;
  base::fail(exit_status::usage,
             "--checkpoint_dir: runs on GPUs write no checkpoints: remove it, or --device");
}

}  // namespace orujo::internal::gas::detail
