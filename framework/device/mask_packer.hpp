// Packs segments of a mask on a GPU (pack.hpp).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "framework/device/array.hpp"
#include "framework/device/failure.hpp"
#include "framework/device/pack.hpp"
#include "framework/device/squeeze.hpp"
#include "framework/exchange/codecs/selection.hpp"

namespace orujo::internal::device {

// How a GPU packs by these options. Automatic is bp128 where the CPU chooses among bp128, pfor and
// bitmap; a list names its codec. The result is empty for codecs that the GPU does not have, and for `none`,
// with which nothing travels as words.
inline std::optional<pack_rule> pack_rule_of(const exchange::codec_options& options) {
  const auto place = [](const char* name) { return exchange::place_of(exchange::find_codec(name)); };
  const int bp128 = place("bp128");
  if (options.wanted >= 0 && options.wanted != bp128) return std::nullopt;
  return pack_rule{static_cast<std::uint32_t>(place("none")), static_cast<std::uint32_t>(bp128),
                   static_cast<std::uint32_t>(std::min<std::size_t>(options.min_bytes, UINT32_MAX)),
                   static_cast<std::uint32_t>(exchange::bitmap_density_inverse)};
}
// True if lists to a locale of the same node, or of another, are encoded at all.
inline std::uint32_t encodes(const exchange::codec_options& options, bool same_node) {
  return options.wanted >= 0 || !same_node ? 1 : 0;
}

// Packs the same segments each time. One task uses it at a time. Its functions suspend while the GPU works,
// and throw failure where it is lost. On is serial or cuda and outlives it.
//
// Takes, for every bit of the segments, 2 bytes on the GPU; in the process a bit.
template <class On>
class mask_packer {
 public:
  mask_packer(On& on, std::span<const mask_segment> segments, const pack_rule& rule)
      : on_(on),
        segments_here_(segments.begin(), segments.end()),
        segments_(on, segments),
        packed_(on, segments.size()),
        all_bytes_(on, 1) {
    std::uint32_t most = 0;
    std::size_t room = 0;
    for (const mask_segment& s : segments) {
      most = std::max(most, s.words);
      room += packing::round_up(s.words * 4 + packing::alignment, packing::alignment);
      encodes_ = encodes_ || s.encodes != 0;
    }
    stride_ = most;
    const std::uint32_t members = most * 32 / rule.density_inverse + 1;
    view_.size = static_cast<std::uint32_t>(segments.size());
    view_.chunks_each = (most + packing::words_of_chunk - 1) / packing::words_of_chunk;
    view_.blocks_each = std::max(packing::blocks_of(members), 1u);
    view_.members_each = members;
    view_.rule = rule;
    chunks_ = {on, segments.size() * view_.chunks_each};
    widths_ = {on, segments.size() * view_.blocks_each};
    blocks_ = {on, segments.size() * view_.blocks_each};
    members_ = {on, segments.size() * members};
    bytes_ = {on, room};
    travelling_ = {on, segments.size()};
    squeezed_ = {on, segments.size() * stride_};
    view_.segments = segments_.data();
    view_.packed = packed_.data();
    view_.chunks = chunks_.data();
    view_.widths = widths_.data();
    view_.blocks = blocks_.data();
    view_.members = members_.data();
    view_.bytes = bytes_.data();
    packed_here_.resize(segments.size());
    bytes_here_.resize(room);
    pinned_ = {on, std::span(bytes_here_)};
    on.wait();
  }

  std::span<const mask_segment> segments() const { return segments_here_; }

  // Leaves every segment's message in message(). possible: the bits that can be set, which the reader knows,
  // too. Null: any bit.
  void pack(const std::uint32_t* mask, const std::uint32_t* possible = nullptr) {
    packing_view view = view_;
    packed_.fill(0);
    if (possible) {
      squeeze(mask, possible);
      view.segments = travelling_.data();
      mask = squeezed_.data();
    }
    launch(chunks(), count_chunks{view, mask});
    launch(view.size, count_segments{view});
    launch(chunks(), list_in_order{view, mask});
    if (encodes_) launch(blocks(), measure_blocks{view});
    launch(view.size, choose_forms{view});
    launch(1, place_messages{view, all_bytes_.data()});
    launch(chunks(), write_plain{view, mask});
    if (encodes_) launch(blocks(), write_blocks{view});
    std::uint32_t bytes = 0;
    packed_.copy_out(packed_here_);
    all_bytes_.copy_out({&bytes, 1});
    on_.wait();
    bytes_.copy_out(std::span(bytes_here_).first(bytes));
    on_.wait();
  }
  // The message of a segment, valid until the next pack().
  const packed_segment& packed(std::size_t segment) const { return packed_here_[segment]; }
  std::span<const std::uint8_t> message(std::size_t segment) const {
    return std::span(bytes_here_).subspan(packed_here_[segment].offset, packed_here_[segment].bytes);
  }

 private:
  std::uint32_t chunks() const { return view_.size * view_.chunks_each; }
  std::uint32_t blocks() const { return view_.size * view_.blocks_each; }

  void squeeze(const std::uint32_t* mask, const std::uint32_t* possible) {
    squeezed_.fill(0);
    launch(chunks(), count_chunks{view_, mask});
    launch(view_.size, count_segments{view_});
    launch(chunks(), count_chunks{view_, possible});
    launch(view_.size, plan_squeeze{view_, stride_, travelling_.data()});
    launch(chunks(), squeeze_segments{view_, travelling_.data(), mask, possible, squeezed_.data()});
  }

  template <class Kernel>
  void launch(std::uint32_t items, const Kernel& kernel) {
    on_.launch(std::min(items, on_.resident_warps()), kernel);
  }

  On& on_;
  std::vector<mask_segment> segments_here_;
  std::vector<packed_segment> packed_here_;
  std::vector<std::uint8_t> bytes_here_;
  pinned<On> pinned_;
  packing_view view_{};
  std::uint32_t stride_ = 0;  // words of the longest segment
  bool encodes_ = false;      // any segment
  array<mask_segment, On> segments_, travelling_;
  array<packed_segment, On> packed_;
  array<std::uint32_t, On> chunks_, blocks_, members_, squeezed_;
  array<std::uint8_t, On> widths_, bytes_;
  array<std::uint32_t, On> all_bytes_;
};

}  // namespace orujo::internal::device
