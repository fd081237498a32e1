#include "framework/graph/graph_checkpoints.hpp"

#include "system/base/fatal.hpp"

namespace orujo::internal::graph {

void refuse_checkpoints() {
  if (!checkpoint::wanted() || my_core() != 0) return;
  base::fail(exit_status::usage,
             "--checkpoint_dir: this vertex program does not say what it keeps: give it void "
             "checkpoint(program_state& kept) (framework/gas/program.hpp), or remove the flag");
}

}  // namespace orujo::internal::graph
