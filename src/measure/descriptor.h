// measure: a file descriptor that closes itself.
#pragma once

#include <utility>

#include <unistd.h>

namespace thalweg::measure {

class Descriptor {
  public:
    Descriptor() = default;
    explicit Descriptor(int number) : number_(number) {}
    Descriptor(Descriptor &&other) noexcept : number_(std::exchange(other.number_, -1)) {}
    Descriptor &operator=(Descriptor &&other) noexcept {
        std::swap(number_, other.number_);
        return *this;
    }
    ~Descriptor() { reset(); }
    int number() const { return number_; }
    void reset() {
        if (number_ >= 0)
            ::close(number_);
        number_ = -1;
    }

  private:
    int number_ = -1;
};

}  // namespace thalweg::measure
