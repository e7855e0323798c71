// measure: a file descriptor that closes itself.
#pragma once

#include <unistd.h>

namespace thalweg::measure {

class Descriptor {
  public:
    explicit Descriptor(int number) : number_(number) {}
    ~Descriptor() { reset(); }
    Descriptor(const Descriptor &) = delete;
    Descriptor &operator=(const Descriptor &) = delete;
    int get() const { return number_; }
    void reset() {
        if (number_ >= 0)
            close(number_);
        number_ = -1;
    }

  private:
    int number_;
};

}  // namespace thalweg::measure
