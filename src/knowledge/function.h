// knowledge: what the functions of the C library and the calls of the kernel do, as far as anything here asks.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace thalweg::knowledge {

// What a direct call does, where it is a place of a program that is counted and spoken of (a site).
enum class Act {
    other,
    gives_block,  // of memory; what it holds isn't known
    gives_aligned_block,
    stores_aligned_block,  // at the address that is its first argument
    resizes_block,
    takes_block_back,
    reads,  // at the descriptor's own offset
    writes,  // there
    writes_at,  // an offset that it is given
    writes_parts,  // of memory, as one
    advises,
    opens,
    opens_at,  // a path that begins at a descriptor
    creates,  // a file, and opens it
    looks,  // at an open file's status
    seeks,
    closes,
    makes,  // a descriptor, or two, of something that has no path, or of another descriptor
    controls,  // a descriptor
    controls_device,
    maps,
    unmaps,
    calls_server,
};

// What it returns: so many bytes, a descriptor, 0, the error's number, an address, an offset. In all cases but addresses and errors' numbers
// -1 is an error.
enum class Gives { bytes, descriptor, status, error_number, address, offset };

// Argument positions; none: it has none such.
inline constexpr int none = -1;
struct SystemCall {
    Act act;
    Gives gives;
    int descriptor;
    int buffer;
    int size;  // in bytes
    int offset;  // where in the file; none: at the descriptor's own offset, which the call moves
};

// What is put: a format's text, a byte, a text, a text with a line's end behind it, objects; or nothing, and formats mean something else from
// then on.
enum class Put { format, byte, text, line, objects, changes_formats };

// Of what puts bytes into the buffer of a stream or into memory, and enters the kernel only where a stream's buffer has no room. Argument
// positions.
struct Output {
    Put put;
    int stream;  // none: standard output, or memory
    int memory;
    int size;  // of the memory, or of an object
    int bound;  // of the memory, as the compiler knows it (the functions that end in _chk), or how many objects
    int text;
};

// What is taken out of the buffer of a stream: a byte, objects, a line into memory of a size, a line into a block that grows (getline); or a byte that was
// taken is given back.
enum class Take { byte, objects, line, grown_line, back };

// Of what takes bytes out of the buffer of a stream, and enters the kernel only where there are too few. Argument positions.
struct Input {
    Take take;
    int stream;  // none: standard input
    int memory;
    int size;  // of the memory, or of an object
    int count;  // of objects
    int known;  // the size of the memory, as the compiler knows it (the functions that end in _chk)
    int byte;  // which ends a line, or is given back
};

// What a call does with a block of memory of no alignment of its own. Its size is the last argument of what gives or resizes one, the product of two of what
// gives zeros; the block is the first argument of what resizes or takes one back.
enum class BlockUse { given, given_as_zeros, resized, taken_back };

// The questions. The value of an answer is its letter in libc.def, and `anything` is the answer for what has no row: it does what it is asked
// about, or it isn't known that it doesn't.

// Whether it may change what a descriptor of the program is (close or replace it, set its flags), or run code that may: a child's in the same
// memory, a function that it is given.
enum class Descriptors : char { keeps = '-', anything = '*' };
// Whether it may learn of other processes and threads, show them something or wait for them. What only computes is `anything` too, unless
// its row was looked at: LLVM has attributes for it, where its prototype fits.
enum class Others : char { ignores = '-', anything = '*' };
// What becomes of a function's address that it is given, itself or in a structure.
enum class Callback : char {
    handles_signal = 'h',  // the second argument becomes a signal's handler
    in_structure = 's',  // so does what the second argument, a structure, holds
    none_taken = 'l',  // it looks at a structure's set of signals only
    called = 'c',  // it is called, and never by a signal
    anything = '*'
};
// Whether another process may be given the offset of a file that this one has open, or moves it at a moment of its own.
enum class Offsets : char { own = '-', shared = 'O', anything = '*' };
// Whether another process may be made that has the same descriptors, not copies, or had them.
enum class DescriptorTable : char { own = '-', shared = 'P', anything = '*' };
// Whether others may see the memory of the process from then on. Act::maps may too: its flags say so.
enum class Memory : char { own = '-', shared = 'M', anything = '*' };
// Whether there may be threads that the C library doesn't count, or functions of it that aren't called by name.
enum class Unseen : char { nothing = '-', threads_or_calls = 'S', anything = '*' };
// Where a function goes on that calls it, or that was interrupted by who calls it.
enum class Course : char {
    returns = '-',
    leaves_handler = 'j',  // not where the signal came, or the thread may end at any moment
    ends_thread = 'c',  // another one, in a call that can be cancelled
    anything = '*'
};
// Its part in giving memory: it is one of the functions that a program may have instead of the C library's, or it looks at what they have
// given, sets how they give it, or limits it.
enum class Allocation : char { none = '-', allocates = 'a', watches = 'w', anything = '*' };
// Whether it gives pages another protection, place or fate than a new block has, or lets others hold them; `protects`: the variables of
// the program may be gone then. Act::maps may map over pages: its flags say so.
enum class Pages : char { keeps = '-', sets_apart = 's', protects = 'p', anything = '*' };
// Whether it may forbid the process system calls (seccomp).
enum class Filter : char {
    none = '-',
    installs = 'y',
    by_option = 'o',  // where its first argument is the option PR_SET_SECCOMP of prctl
    by_number = 'n',  // where its first argument is the number of a call that may
    anything = '*'
};
// Whether it sets how floating point rounds and traps, or asks what exceptions there were.
enum class FloatEnvironment : char { ignores = '-', uses = 'e', anything = '*' };
// Whether it may fault on memory.
enum class Faults : char {
    never = '-',
    never_and_gives_errno = 'e',  // the address of the thread's errno
    on_its_string = 's',  // only where its one argument isn't the address of a readable string
    anything = '*'
};
// What keeping its answer would keep, of calls that are asked again and again; `own`: nobody but the process changes it.
enum class Answer : char {
    own = '-',
    of_descriptor = 'd',  // which nobody but the process changes
    of_device = 'i',
    open_file = 'f',
    bytes = 'b',
    status_of_path = 'p',
    status_of_descriptor = 's',
    connection = 'c',
    anything = '*'
};

// The table was made beside glibc 2.36. In a program that uses a newer function which has no row, nothing is known, and no system call is
// changed (link/replaced.h).
inline constexpr unsigned glibc_minor = 36;

struct Function {
    std::string_view names;  // that answer alike, with spaces between them; of variants, the plain one is the first
    Descriptors descriptors;
    Others others;
    Callback callback;
    Offsets offsets;
    DescriptorTable descriptor_table;
    Memory memory;
    Unseen unseen;
    Course course;
    Allocation allocation;
    Pages pages;
    Filter filter;
    FloatEnvironment float_environment;
    Faults faults;
    Answer answer;
    std::optional<SystemCall> call;
    std::optional<Output> output;
    std::optional<Input> input;
    std::optional<BlockUse> block;
};

// What has no row answers `anything` to each question.
const Function &function(std::string_view name);

// Null: its calls are no sites.
const SystemCall *system_call(std::string_view name);
// Null: it is none.
const Output *output(std::string_view name);
const Input *input(std::string_view name);
// Whether it is one of the two.
bool uses_buffer(std::string_view name);
// None: it is no such call.
std::optional<BlockUse> block_use(std::string_view name);
// Act::other for what is no system call.
Act act_of(std::string_view name);

// Whether it is the C library's memory that it is about: such a call enters the kernel only for large blocks (mallopt(3), M_MMAP_THRESHOLD:
// 128 KiB).
bool is_memory(Act act);

// To ask a whole program: of all names that it might use, which are those that do this? What has no row isn't among them.
struct Name {
    std::string_view name;
    const Function *function;
};
std::span<const Name> all_names();  // sorted

}  // namespace thalweg::knowledge
