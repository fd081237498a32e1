#include <gflags/gflags.h>

#include <string_view>

#include "framework/device/selection.hpp"
#include "system/base/flags.hpp"
#include "system/base/numbers.hpp"

DEFINE_string(device, "cpu",
              "processor of the steps along edges: cpu, cuda (a GPU; the locales of a machine take its GPUs "
              "in turn), cuda:N (GPU N), auto (a GPU, or the CPU if there is none or its memory is too "
              "small), or emulated (the GPU's code on the CPU, for tests)");

namespace orujo::internal::device {
namespace {

std::optional<selection> read(std::string_view text) {
  if (text == "cpu") return selection{};
  if (text == "auto") return selection{kind::automatic, {}};
  if (text == "emulated") return selection{kind::emulated, {}};
  if (text == "cuda") return selection{kind::cuda, {}};
  constexpr std::string_view numbered = "cuda:";
  if (!text.starts_with(numbered)) return std::nullopt;
  text.remove_prefix(numbered.size());
  const auto number = base::number_of<unsigned short>(text);
  return number ? std::optional(selection{kind::cuda, *number}) : std::nullopt;
}

const flag_rule device_rule(
    "device", [] { return read(FLAGS_device).has_value(); }, "cpu, cuda, cuda:N, auto or emulated");
const flag_rule built_rule(
    "device", [] { return !FLAGS_device.starts_with("cuda") || count_cuda_gpus != nullptr; },
    "cpu, auto or emulated, as this program is built without CUDA: configure with -DORUJO_CUDA=ON");

}  // namespace

selection device_from_flags() { return read(FLAGS_device).value_or(selection{}); }

}  // namespace orujo::internal::device
