#include "framework/exchange/mirror_places.hpp"

#include <cstddef>

#include "framework/exchange/peers.hpp"
#include "system/collectives/collectives.hpp"

namespace orujo::internal::exchange {

mirror_places::mirror_places(const graph::locale_graph& g)
    : offsets_(g.own + std::size_t{2}),  // two more at first: filling moves each by one
      any_((std::size_t{g.own} + 63) / 64) {
  // Lists are visited by locale, so that each vertex's places ascend.
  const auto for_each_list = [&](auto visit) {
    for (locale_id l = 0; l < locales(); ++l) {
      for (int p = 0; p < my_locales_cores(); ++p) visit(p, l, g.parts[p].mirrored_by[l]);
    }
  };
  for_each_list([&](int, locale_id, const graph::mirror_list& of) {
    for (const std::uint32_t v : of.vertices) {
      ++offsets_[v + std::size_t{2}];
      any_[v / 64] |= std::uint64_t{1} << v % 64;
    }
  });
  for (std::size_t v = 1; v < offsets_.size(); ++v) offsets_[v] += offsets_[v - 1];
  places_.resize(offsets_.back());
  const core_id first = shape().first_core_of(my_locale());
  for_each_list([&](int p, locale_id l, const graph::mirror_list& of) {
    const core_id begin = shape().first_core_of(l), end = begin + shape().cores_of(l);
    const std::uint64_t own = g.owners.last_of(end - 1) - g.owners.first_of(begin);
    const core_id to = shape().partner(first + p, l);
    std::uint32_t index = static_cast<std::uint32_t>(own) + of.first_mirror;
    for (const std::uint32_t v : of.vertices) places_[offsets_[v + std::size_t{1}]++] = {to, index++};
  });
}

std::shared_ptr<const mirror_places> find_mirror_places(const graph::locale_graph& g) {
  return collectives::share_on_locale<const mirror_places>(
      [&] { return g.kept->get<mirror_places>([&] { return std::make_shared<mirror_places>(g); }); });
}

}  // namespace orujo::internal::exchange
