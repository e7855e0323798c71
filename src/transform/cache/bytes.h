// transform: a set of bytes of one object, counted from where a pointer points.
#pragma once

#include <cstdint>
#include <vector>

namespace thalweg::transform::cache {

struct Bytes {
    int64_t first = 0;
    int64_t end = 0;  // one behind the last
};

class ByteSet {
  public:
    void add(Bytes bytes);
    void add(const ByteSet &other);
    bool covers(const ByteSet &other) const { return other.without(*this).empty(); }
    ByteSet without(const ByteSet &other) const;
    ByteSet common(const ByteSet &other) const;
    bool empty() const { return runs_.empty(); }
    int64_t size() const;
    // Apart from each other and rising.
    const std::vector<Bytes> &runs() const { return runs_; }

  private:
    std::vector<Bytes> runs_;
};

}  // namespace thalweg::transform::cache
