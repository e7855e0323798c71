// measure: what calls on files cost, for each file system.
#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>

#include "measure/machine_row.h"

namespace thalweg::measure {

Error failed(const char *what) {
    return fail(ErrorCode::environment, "{}: {}", what, std::strerror(errno));  // NOLINT(concurrency-mt-unsafe)
}

Result<Descriptor> warm_file(const std::string &path, size_t size, int more_flags) {
    Descriptor file(::open(path.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC | more_flags, 0600));
    if (file.number() < 0)
        return failed("open");
    const std::string block(65536, 'x');
    for (size_t written = 0; written < size;) {
        const ssize_t more = ::write(file.number(), block.data(), std::min(block.size(), size - written));
        if (more <= 0)
            return failed("write");
        written += static_cast<size_t>(more);
    }
    return file;
}

namespace {

constexpr size_t disk_bytes = size_t{4} << 20;
constexpr uint32_t disk_block = 1u << 20;
constexpr size_t large_bytes = 65536;
constexpr size_t page_bytes = 4096;
constexpr size_t pieces = 8;
constexpr size_t piece_bytes = 64;

struct File {
    Descriptor file;
    std::string path;
    size_t at = 0;
    // Where the next `size` bytes are; again at the front when the end has come.
    off_t next(size_t size) {
        if (at + size > warm_bytes)
            at = 0;
        return static_cast<off_t>(std::exchange(at, at + size));
    }
    // The same for calls that go by the file's own offset.
    bool seek_next(size_t size) {
        const bool again = at + size > warm_bytes;
        next(size);
        return !again || ::lseek(file.number(), 0, SEEK_SET) == 0;
    }
};

Result<std::shared_ptr<File>> scratch(const std::string &folder, const char *name) {
    auto state = std::make_shared<File>();
    state->path = folder + "/" + name;
    Result<Descriptor> file = warm_file(state->path, warm_bytes);
    if (!file)
        return file.error();
    state->file = std::move(*file);
    ::lseek(state->file.number(), 0, SEEK_SET);
    return state;
}

int error_now() { return errno != 0 ? errno : EIO; }

// Repeats `once(state)`, which says whether all went well.
template <class Once>
Result<Work> repeated(const std::string &folder, const char *name, Once once) {
    const Result<std::shared_ptr<File>> state = scratch(folder, name);
    if (!state)
        return state.error();
    return Work([file = *state, once](uint64_t count) {
        errno = 0;
        for (uint64_t i = 0; i < count; ++i)
            if (!once(*file))
                return error_now();
        return 0;
    });
}

template <size_t size>
Result<Work> write_bytes(const std::string &folder, uint32_t) {
    return repeated(folder, "write", [](File &file) {
        static constexpr std::array<char, size> bytes{};
        return file.seek_next(size) && ::write(file.file.number(), bytes.data(), size) == ssize_t{size};
    });
}

Result<Work> write_vector(const std::string &folder, uint32_t) {
    return repeated(folder, "vector", [](File &file) {
        std::array<char, piece_bytes> bytes{};
        std::array<iovec, pieces> vector;
        vector.fill({bytes.data(), piece_bytes});
        constexpr size_t all = pieces * piece_bytes;
        return file.seek_next(all) && ::writev(file.file.number(), vector.data(), pieces) == ssize_t{all};
    });
}

Result<Work> write_pieces(const std::string &folder, uint32_t) {
    return repeated(folder, "pieces", [](File &file) {
        static constexpr std::array<char, piece_bytes> bytes{};
        if (!file.seek_next(pieces * piece_bytes))
            return false;
        for (size_t i = 0; i < pieces; ++i)
            if (::write(file.file.number(), bytes.data(), piece_bytes) != ssize_t{piece_bytes})
                return false;
        return true;
    });
}

Result<Work> read_warm(const std::string &folder, uint32_t) {
    return repeated(folder, "read", [](File &file) {
        std::array<char, page_bytes> bytes;
        return ::pread(file.file.number(), bytes.data(), page_bytes, file.next(page_bytes)) == ssize_t{page_bytes};
    });
}

Result<Work> open_close(const std::string &folder, uint32_t) {
    return repeated(folder, "open", [](File &file) {
        const int opened = ::open(file.path.c_str(), O_RDONLY | O_CLOEXEC);
        return opened >= 0 && ::close(opened) == 0;
    });
}

Result<Work> status(const std::string &folder, uint32_t) {
    return repeated(folder, "status", [](File &file) {
        struct stat found;
        return ::fstat(file.file.number(), &found) == 0;
    });
}

Result<Work> map_unmap(const std::string &folder, uint32_t) {
    return repeated(folder, "map", [](File &file) {
        void *memory = ::mmap(nullptr, large_bytes, PROT_READ, MAP_PRIVATE, file.file.number(), 0);
        return memory != MAP_FAILED && ::munmap(memory, large_bytes) == 0;
    });
}

// Copies the first half of the file to its second half, 64 KiB at a time.
constexpr off_t half = warm_bytes / 2;

Result<Work> copy_in_kernel(const std::string &folder, uint32_t) {
    return repeated(folder, "copy", [](File &file) {
        off_t from = file.next(large_bytes) % half;
        off_t to = from + half;
        return ::copy_file_range(file.file.number(), &from, file.file.number(), &to, large_bytes, 0) ==
               ssize_t{large_bytes};
    });
}

Result<Work> copy_through_buffer(const std::string &folder, uint32_t) {
    const auto buffer = std::make_shared<std::array<char, large_bytes>>();
    return repeated(folder, "buffer", [buffer](File &file) {
        const off_t from = file.next(large_bytes) % half;
        return ::pread(file.file.number(), buffer->data(), large_bytes, from) == ssize_t{large_bytes} &&
               ::pwrite(file.file.number(), buffer->data(), large_bytes, from + half) == ssize_t{large_bytes};
    });
}

Result<Work> write_to_disk(const std::string &folder, uint32_t) {
    const auto block = std::make_shared<std::string>(disk_block, 'x');
    return repeated(folder, "durable", [block](File &file) {
        return ::pwrite(file.file.number(), block->data(), disk_block, 0) == ssize_t{disk_block} &&
               ::fdatasync(file.file.number()) == 0;
    });
}

Result<Work> read_from_disk(const std::string &folder, uint32_t) {
    const std::string path = folder + "/cold";
    Result<Descriptor> written = warm_file(path, disk_bytes);
    if (!written)
        return written.error();
    if (::fsync(written->number()) != 0)
        return failed("fsync");
    auto file = std::make_shared<Descriptor>(::open(path.c_str(), O_RDONLY | O_DIRECT | O_CLOEXEC));
    if (file->number() < 0)
        return failed("open with O_DIRECT");
    const std::shared_ptr<void> buffer(std::aligned_alloc(page_bytes, page_bytes), std::free);
    auto place = std::make_shared<uint64_t>(1);
    return Work([file, buffer, place](uint64_t count) {
        errno = 0;
        for (uint64_t i = 0; i < count; ++i) {
            *place = *place * 6364136223846793005u + 1442695040888963407u;  // Knuth's MMIX generator: some block, any
            const off_t at = static_cast<off_t>((*place >> 33) % (disk_bytes / page_bytes) * page_bytes);
            if (::pread(file->number(), buffer.get(), page_bytes, at) != ssize_t{page_bytes})
                return error_now();
        }
        return 0;
    });
}

}  // namespace

std::span<const MachineRow> file_rows() {
    static constexpr MachineRow rows[] = {
        {.name = "write-1", .what = "write of 1 byte to what is in memory", .prepare = write_bytes<1>},
        {.name = "write-64", .what = "write of 64 bytes", .prepare = write_bytes<64>},
        {.name = "write-4096", .what = "write of 4,096 bytes", .prepare = write_bytes<page_bytes>},
        {.name = "writes-8", .what = "8 writes of 64 bytes", .prepare = write_pieces},
        {.name = "writev-8", .what = "the same by one writev", .prepare = write_vector, .against = "writes-8"},
        {.name = "read-4096", .what = "read of 4,096 bytes that are in memory", .prepare = read_warm},
        {.name = "open-close", .what = "open and close of a file", .prepare = open_close},
        {.name = "fstat", .what = "fstat of an open file", .prepare = status},
        {.name = "mmap-munmap", .what = "64 KiB of a file mapped and unmapped, not read", .prepare = map_unmap},
        {.name = "read-write-64K", .what = "64 KiB copied by a read and a write", .prepare = copy_through_buffer},
        {.name = "copy_file_range-64K",
         .what = "the same by one copy_file_range",
         .prepare = copy_in_kernel,
         .against = "read-write-64K"},
        {.name = "disk-write",
         .what = "a byte to the disk: 1 MiB written, and fdatasync",
         .prepare = write_to_disk,
         .time = model::TimeKind::wall,
         .operations = disk_block},
        {.name = "disk-read",
         .what = "4,096 bytes from anywhere on the disk: O_DIRECT",
         .prepare = read_from_disk,
         .time = model::TimeKind::wall},
    };
    return rows;
}

}  // namespace thalweg::measure
