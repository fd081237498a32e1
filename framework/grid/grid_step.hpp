// Traverses a locale's edges in a search on a grid of locales. Sends no messages.
#pragma once

#include <functional>
#include <memory>

#include "framework/device/selection.hpp"
#include "framework/exchange/bit_message.hpp"
#include "framework/exchange/codecs/selection.hpp"
#include "framework/grid/grid_graph.hpp"
#include "framework/grid/grid_state.hpp"

namespace orujo::internal::algorithms::detail {

// One core's part; made by a task of every core. All cores of the locale call the same functions, in the same
// order, with a barrier of the locale between two calls.
//
// A push or a pull reads the masks `sources`, `fresh`, `pullable` and `targets` of the grid_state. It leaves
// the new vertices in `found`, adds those of other locales' sections to `targets`, and keeps their parents.
// The search itself adds those of the own section to `targets`.
class grid_step {
 public:
  virtual ~grid_step() = default;
  // [task] Called at the start of a search, which has cleared the masks.
  virtual void begin() {}
  // [task; may suspend] Pushes along the out-edges of the frontier.
  virtual void push(grid_state::dealers& dealt) = 0;
  // [task; may suspend] The unseen vertices of this locale search for parents. If the row has other locales,
  // `targets` also has those that find one.
  virtual void pull_own(grid_state::dealers& dealt) = 0;
  // [task; may suspend] In the same superstep, the unseen vertices of the other locales of the row search.
  virtual void pull_others(grid_state::dealers& dealt) = 0;
  // [task; may suspend] Copies the parents to the grid_state, at the end of a search.
  virtual void bring_parents() {}
  // [task] If true, messages have the new vertices of other locales of the row, and `found` does not.
  virtual bool packs_found() const { return false; }
  // [task] Sends the messages for a locale from the calling core's words of a range. Called after the
  // barrier.
  using send_message = std::function<void(const exchange::packed_bits&)>;
  virtual void for_each_message(locale_id, const send_message&) const {}
  // [task] Seconds that the last step took for copies to and from a GPU, with packing. Called after the
  // barrier.
  virtual double copy_seconds() const { return 0; }
};

// [task; suspends; collective over the job] Returns the calling core's part of a step by the selected
// processor. Ends the job with `exit_status::no_resource` if that is a GPU that some locale cannot use.
std::unique_ptr<grid_step> make_grid_step(const graph::locale_grid& g, grid_state& state,
                                          const device::selection& device,
                                          const exchange::codec_options& codecs);

}  // namespace orujo::internal::algorithms::detail
