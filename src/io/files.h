// io: what is done with files: in the loop's io_uring, or in another thread.
#pragma once

#include <thalweg/tame/file.h>

namespace thalweg::io {

class Io;

// It has been done, or begun, in this thread. Reads go on until the buffer is full or the file ends.
tame::detail::FileResult do_now(const tame::detail::FileWork &work);

tame::detail::FileCallOwner make_ring_call(Io &io, tame::detail::FileWork &&work);
tame::detail::FileCallOwner make_pool_call(tame::detail::FileWork &&work);

}  // namespace thalweg::io
