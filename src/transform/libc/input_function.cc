// transform: whether the buffer holds what is asked for, and the loads.
//
// A stream's buffer holds what lies between _IO_read_ptr and _IO_read_end (glibc's <bits/types/struct_FILE.h>): getc_unlocked, which its headers write in
// place, goes by these two alone. It holds nothing where the stream is being written to, has no buffer, or was read to its end.
#include "transform/libc/input_function.h"

#include <cstdio>

#include "llvm/Transforms/Utils/BuildLibCalls.h"

#include "transform/libc/in_place_function.h"

namespace thalweg::transform {

using namespace llvm;

namespace {

// Of a stream's flags (glibc's libio.h: _IO_EOF_SEEN, _IO_ERR_SEEN, _IO_IN_BACKUP: bytes that were given back lie in a buffer of their own).
constexpr uint32_t end_seen = 0x10;
constexpr uint32_t error_seen = 0x20;
constexpr uint32_t in_backup = 0x100;
// Where the compiler knows how large the memory is, the library multiplies with care from here on.
constexpr uint64_t may_overflow = uint64_t{1} << 32;

class InputFunction : private InPlaceFunction {
  public:
    InputFunction(Function &function, const CallBase &call, const knowledge::Input &input,
                  const TargetLibraryInfo &library)
        : InPlaceFunction(function, call), input_(input), library_(library) {}

    void write() {
        using knowledge::Take;
        switch (input_.take) {
        case Take::byte:
            take_byte();
            break;
        case Take::back:
            give_back();
            break;
        case Take::objects:
            take_objects();
            break;
        case Take::line:
            take_line();
            break;
        case Take::grown_line:
            take_grown_line();
            break;
        }
        call_the_library();
    }

  private:
    void open() {
        stream_ = stream_at(input_.stream, standard_input);
        require(is_single_threaded());
    }

    // As much as is there, and there is some.
    Value *held() {
        at_ = load_pointer(offsetof(FILE, _IO_read_ptr));
        Value *end = load_pointer(offsetof(FILE, _IO_read_end));
        require(builder_.CreateICmpULT(at_, end));
        return builder_.CreatePtrDiff(builder_.getInt8Ty(), end, at_);
    }

    void go_on_at(Value *at) { builder_.CreateStore(at, member(offsetof(FILE, _IO_read_ptr))); }

    void take(Value *into, Value *length) {
        builder_.CreateMemCpy(into, Align(1), at_, Align(1), length);
        go_on_at(behind(at_, length));
    }

    // The length of the line that begins there, with its end: within so many bytes.
    Value *line_within(Value *bytes, Value *end) {
        const DataLayout &layout = function_.getParent()->getDataLayout();
        Value *found = emitMemChr(at_, end, bytes, builder_, layout, &library_);
        require(builder_.CreateIsNotNull(found));
        return builder_.CreateAdd(builder_.CreatePtrDiff(builder_.getInt8Ty(), found, at_), builder_.getInt64(1));
    }

    void end_text(Value *text, Value *length) { builder_.CreateStore(builder_.getInt8(0), behind(text, length)); }

    void take_byte() {
        open();
        held();
        Value *byte = builder_.CreateLoad(builder_.getInt8Ty(), at_);
        go_on_at(behind(at_, builder_.getInt64(1)));
        builder_.CreateRet(builder_.CreateZExt(byte, builder_.getInt32Ty()));
    }

    // Only what was taken out there.
    void give_back() {
        require(builder_.CreateICmpNE(argument(input_.byte), builder_.getInt32(static_cast<uint32_t>(EOF))));
        open();
        Value *at = load_pointer(offsetof(FILE, _IO_read_ptr));
        require(builder_.CreateICmpUGT(at, load_pointer(offsetof(FILE, _IO_read_base))));
        Value *before = behind(at, builder_.getInt64(static_cast<uint64_t>(-1)));
        Value *byte = builder_.CreateTrunc(argument(input_.byte), builder_.getInt8Ty());
        require(builder_.CreateICmpEQ(builder_.CreateLoad(builder_.getInt8Ty(), before), byte));
        require(builder_.CreateIsNull(load_flags(in_backup)));
        go_on_at(before);
        builder_.CreateStore(load_flags(~end_seen), member(offsetof(FILE, _flags)));
        builder_.CreateRet(builder_.CreateZExt(byte, builder_.getInt32Ty()));
    }

    void take_objects() {
        Value *size = argument(input_.size);
        Value *count = argument(input_.count);
        Value *wanted = builder_.CreateMul(size, count);
        // The library gives nothing without a look at the stream, which may be none.
        require(builder_.CreateIsNotNull(wanted));
        if (input_.known != knowledge::none) {
            require(builder_.CreateICmpULT(builder_.CreateOr(size, count), builder_.getInt64(may_overflow)));
            require(builder_.CreateICmpULE(wanted, argument(input_.known)));
        }
        open();
        require(is_of_bytes());
        // What has none gets one by the library's call.
        require(builder_.CreateIsNotNull(load_pointer(offsetof(FILE, _IO_buf_base))));
        require(builder_.CreateICmpUGE(held(), wanted));
        take(argument(input_.memory), wanted);
        builder_.CreateRet(count);
    }

    void take_line() {
        Value *size = argument(input_.size);
        require(builder_.CreateICmpSGT(size, builder_.getInt32(1)));
        size = builder_.CreateZExt(size, builder_.getInt64Ty());
        if (input_.known != knowledge::none)
            require(builder_.CreateICmpULE(size, argument(input_.known)));
        open();
        require(is_of_bytes());
        Value *room = builder_.CreateSub(size, builder_.getInt64(1));
        Value *length =
            line_within(builder_.CreateBinaryIntrinsic(Intrinsic::umin, held(), room), builder_.getInt32('\n'));
        take(argument(input_.memory), length);
        end_text(argument(input_.memory), length);
        builder_.CreateRet(argument(input_.memory));
    }

    // Into the block that is there.
    void take_grown_line() {
        require(builder_.CreateIsNotNull(argument(input_.memory)));
        require(builder_.CreateIsNotNull(argument(input_.size)));
        open();
        require(builder_.CreateIsNull(load_flags(error_seen)));
        require(is_of_bytes());
        Value *block = builder_.CreateLoad(builder_.getPtrTy(), argument(input_.memory));
        require(builder_.CreateIsNotNull(block));
        Value *size = builder_.CreateLoad(builder_.getInt64Ty(), argument(input_.size));
        Value *end = input_.byte == knowledge::none ? builder_.getInt32('\n') : argument(input_.byte);
        Value *length = line_within(held(), end);
        require(builder_.CreateICmpULT(length, size));
        take(block, length);
        end_text(block, length);
        builder_.CreateRet(length);
    }

    const knowledge::Input &input_;
    const TargetLibraryInfo &library_;
    Value *at_ = nullptr;  // where what is taken begins
};

}  // namespace

Function &input_function(const CallBase &call, const knowledge::Input &input, const TargetLibraryInfo &library) {
    return in_place_function(call, ("thalweg." + call.getCalledFunction()->getName()).str(),
                             [&](Function &function) { InputFunction(function, call, input, library).write(); });
}

}  // namespace thalweg::transform
