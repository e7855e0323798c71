// examples: a composite protocol's surroundings
#include "composite/composite.h"

namespace composite {

Composite::Composite(bool stats, const std::string &timed_event) : meter_(stats, timed_event) {
#ifdef COMPOSITE_MARSHALLED
    lock_ = thalweg_composite_create();
#endif
}

Composite::~Composite() {
    if (lock_) {
        thalweg_composite_destroy(lock_);
    }
}

}  // namespace composite
