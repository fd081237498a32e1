// The way of parcels: straight to their locale, or over one of its neighbours if there are many locales.
#pragma once

#include "system/base/shape.hpp"

namespace orujo::messages {

// direct: every locale sends to every other. grid: locales form groups of about sqrt(locales) consecutive
// ones. Blocks for another group go to the locale there that has the sender's position, which forwards them.
// A locale then sends to some 2 sqrt(locales) others only. Its parcels are fuller, at the price of a second
// hop. (Two-dimensional aggregation, as in Charm++'s TRAM and the conveyors of bale; Maley, DeVinney,
// "Conveyors for Streaming Many-To-Many Communication", IA3 2019.)
enum class routing { direct, grid };

// The locale that receives messages of `from` to another locale `to`, and forwards them to `to` itself. It is
// the same for all messages of a pair, so that they stay in order.
constexpr locale_id next_hop(routing r, locale_id from, locale_id to, locale_id locales) {
  if (r == routing::direct) return to;
  locale_id side = 1;
  while (side * side < locales) ++side;
  const locale_id group = to / side * side;
  if (group == from / side * side) return to;
  const locale_id members = group + side <= locales ? side : locales - group;  // the last group may be short
  return group + from % side % members;
}

}  // namespace orujo::messages
