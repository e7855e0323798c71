// transform: how long what is put is, whether there is room for it, and the stores.
//
// A stream's buffer has room from _IO_write_ptr to _IO_write_end (glibc's <bits/types/struct_FILE.h>): putc_unlocked, which its headers
// write in place, goes by these two alone. There is none where a stream is not being written to, has no buffer, or has to be flushed at the end of
// a line. In a process of several threads the stream is locked meanwhile, as the library would lock it.
#include "transform/libc/output_function.h"

#include <climits>
#include <cstddef>
#include <cstdio>

#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Support/SHA256.h"
#include "llvm/Transforms/Utils/BuildLibCalls.h"

#include "abi/crossing.h"
#include "transform/ir/abi.h"
#include "transform/libc/in_place_function.h"

namespace thalweg::transform {

using namespace llvm;

namespace {

// Of a stream's flags (glibc's libio.h until 2.27: _IO_UNBUFFERED, _IO_LINE_BUF). A stream that setvbuf made one of these while it was written to
// still has room.
constexpr uint32_t flushed_early = 0x2 | 0x200;
// The program locks the stream itself (__fsetlocking).
constexpr uint32_t locked_by_caller = 0x8000;

// A part of what is put: how long it is, and of what it is made.
struct Part {
    Conversion of;
    Value *what = nullptr;  // the text, the character, the number without its sign, the bytes
    Value *length = nullptr;  // 64 bits; of a number with its sign
    Value *digits = nullptr;
    Value *is_negative = nullptr;  // of signed numbers
    Value *fill = nullptr;  // how many characters to the width; null: there is none
};

class OutputFunction : private InPlaceFunction {
  public:
    OutputFunction(Function &function, const CallBase &call, const OutputCall &of, const TargetLibraryInfo &library)
        : InPlaceFunction(function, call), of_(of), library_(library) {}

    void write() {
        // The library gives nothing back without a look at the stream, which may be none.
        if (of_.output->put == knowledge::Put::objects) {
            measure();
            require(builder_.CreateIsNotNull(total()));
        }
        if (!is_into_memory())
            look_at_stream();
        if (of_.output->put != knowledge::Put::objects)
            measure();
        Value *length = total();
        Value *begin = begin_where_it_fits(length);
        keep_apart(begin, length);
        Value *end = put(begin);
        if (is_into_memory())
            builder_.CreateStore(builder_.getInt8(0), end);
        else
            builder_.CreateStore(end, member(offsetof(FILE, _IO_write_ptr)));
        Value *told = result(length);
        unlock_before(new_block());
        builder_.CreateRet(told);
        call_the_library();
    }

  private:
    bool is_into_memory() const { return of_.output->memory >= 0; }

    // What takes as long as a lock saves nothing beside one: where the process has several threads, formats alone are put in place.
    void lock_stream() {
        Value *single = is_single_threaded();
        if (of_.output->put != knowledge::Put::format)
            return require(single);
        single_ = single;
        BasicBlock *several = new_block();
        BasicBlock *next = new_block();
        builder_.CreateCondBr(single_, next, several, MDBuilder(function_.getContext()).createLikelyBranchWeights());
        builder_.SetInsertPoint(several);
        require(builder_.CreateIsNull(load_flags(locked_by_caller)));
        call_lock(LibFunc_flockfile);
        builder_.CreateBr(next);
        leave_ = new_block("leave");
        builder_.SetInsertPoint(leave_);
        unlock_before(slow_);
        builder_.SetInsertPoint(next);
    }

    // Goes on at `next`.
    void unlock_before(BasicBlock *next) {
        if (single_ == nullptr) {
            builder_.CreateBr(next);
        } else {
            BasicBlock *unlock = new_block();
            builder_.CreateCondBr(single_, next, unlock, MDBuilder(function_.getContext()).createLikelyBranchWeights());
            builder_.SetInsertPoint(unlock);
            call_lock(LibFunc_funlockfile);
            builder_.CreateBr(next);
        }
        builder_.SetInsertPoint(next);
    }

    void call_lock(LibFunc which) {
        Module &module = *function_.getParent();
        builder_.CreateCall(getOrInsertLibFunc(&module, library_, which, builder_.getVoidTy(), builder_.getPtrTy()),
                            {stream_});
    }

    void look_at_stream() {
        stream_ = stream_at(of_.output->stream, standard_output);
        lock_stream();
        // putc asks for room alone, in the library too.
        if (of_.output->put != knowledge::Put::byte)
            require(builder_.CreateIsNull(load_flags(flushed_early)));
        require(is_of_bytes());
    }

    void measure() {
        using knowledge::Put;
        using enum Conversion::Of;
        int next = of_.output->text + 1;
        const auto one = [](Conversion::Of of, StringRef literal = "") {
            Conversion made;
            made.of = of;
            made.literal = literal;
            return made;
        };
        switch (of_.output->put) {
        case Put::format:
            for (const Conversion &conversion : of_.conversions)
                measure(conversion, next);
            break;
        case Put::byte:
            measure(one(character), --next);
            break;
        case Put::line:
        case Put::text:
            measure(one(text), --next);
            if (of_.output->put == Put::line)
                measure(one(literal, "\n"), next);
            break;
        case Put::changes_formats:
            llvm_unreachable("it puts nothing");
        case Put::objects:
            parts_.push_back({.of = one(text),
                              .what = argument(of_.output->text),
                              .length = builder_.CreateMul(argument(of_.output->size), argument(of_.output->bound))});
            break;
        }
    }

    // `next`: the argument that stands next; those that it takes are behind.
    void measure(const Conversion &of, int &next) {
        Part part{.of = of};
        if (of.of == Conversion::Of::literal) {
            part.length = builder_.getInt64(of.literal.size());
            parts_.push_back(std::move(part));
            return;
        }
        Value *width = count(of.width, next);
        Value *precision = count(of.precision, next);
        part.what = argument(next++);
        if (of.of == Conversion::Of::text)
            measure_text(part, precision);
        else if (of.is_number())
            measure_number(part);
        else
            part.length = builder_.getInt64(1);
        if (width)
            part.fill = builder_.CreateBinaryIntrinsic(Intrinsic::usub_sat, width, part.length);
        parts_.push_back(std::move(part));
    }

    // Null: there is none. A negative one means something else.
    Value *count(const Conversion::Count &count, int &next) {
        if (count.from == Conversion::From::nowhere)
            return nullptr;
        if (count.from == Conversion::From::format)
            return builder_.getInt64(count.number);
        Value *given = argument(next++);
        require(builder_.CreateICmpSGE(given, builder_.getInt32(0)));
        return builder_.CreateZExt(given, builder_.getInt64Ty());
    }

    void measure_text(Part &part, Value *precision) {
        const DataLayout &layout = function_.getParent()->getDataLayout();
        require(builder_.CreateIsNotNull(part.what));
        if (!precision) {
            part.length = emitStrLen(part.what, builder_, layout, &library_);
            return;
        }
        Value *end = emitMemChr(part.what, builder_.getInt32(0), precision, builder_, layout, &library_);
        part.length = builder_.CreateSelect(builder_.CreateIsNull(end), precision,
                                            builder_.CreatePtrDiff(builder_.getInt8Ty(), end, part.what));
    }

    void measure_number(Part &part) {
        Type *word = builder_.getInt64Ty();
        Value *shown = builder_.CreateTrunc(part.what, builder_.getIntNTy(part.of.shown_bits));
        if (part.of.of == Conversion::Of::signed_number) {
            shown = builder_.CreateSExt(shown, word);
            part.is_negative = builder_.CreateICmpSLT(shown, builder_.getInt64(0));
            part.what = builder_.CreateSelect(part.is_negative, builder_.CreateNeg(shown), shown);
        } else {
            part.what = builder_.CreateZExt(shown, word);
        }
        const auto symbol = part.of.of == Conversion::Of::hexadecimal
                                ? AnyAbiFunction(ABI_SYMBOL(thalweg_crossing_hexadecimal_digits))
                                : AnyAbiFunction(ABI_SYMBOL(thalweg_crossing_decimal_digits));
        part.digits = builder_.CreateCall(symbol.declare_in(*function_.getParent()), {part.what});
        part.length = part.is_negative ? builder_.CreateAdd(part.digits, builder_.CreateZExt(part.is_negative, word))
                                       : part.digits;
    }

    Value *total() {
        Value *sum = builder_.getInt64(0);
        for (const Part &part : parts_)
            for (Value *length : {part.length, part.fill})
                if (length)
                    sum = builder_.CreateAdd(sum, length);
        return sum;
    }

    // Where the bytes are to begin. What has no room, or has more bytes than the result can tell, goes to the library.
    Value *begin_where_it_fits(Value *length) {
        if (of_.output->put == knowledge::Put::format || of_.output->put == knowledge::Put::line)
            require(builder_.CreateICmpULE(length, builder_.getInt64(INT_MAX)));
        if (is_into_memory()) {
            Value *size = of_.output->size >= 0 ? argument(of_.output->size) : nullptr;
            Value *bound = of_.output->bound >= 0 ? argument(of_.output->bound) : nullptr;
            if (size && bound)
                require(builder_.CreateICmpULE(size, bound));
            if (Value *least = size ? size : bound)
                require(builder_.CreateICmpULT(length, least));
            return argument(of_.output->memory);
        }
        Value *at = load_pointer(offsetof(FILE, _IO_write_ptr));
        Value *end = load_pointer(offsetof(FILE, _IO_write_end));
        Value *room = builder_.CreatePtrDiff(builder_.getInt8Ty(), end, at);
        // Of nothing at all the library may still say that the stream can't be written to.
        Value *wanted = builder_.CreateBinaryIntrinsic(Intrinsic::umax, length, builder_.getInt64(1));
        require(builder_.CreateICmpSGE(room, builder_.getInt64(0)));
        require(builder_.CreateICmpUGE(room, wanted));
        return at;
    }

    // A text that lies where it is put, or ends there: the library reads it piece by piece, when others were put already.
    void keep_apart(Value *begin, Value *length) {
        Value *first = builder_.CreatePtrToInt(begin, builder_.getInt64Ty());
        Value *last = builder_.CreateAdd(first, length);
        for (const Part &part : parts_) {
            if (part.of.of != Conversion::Of::text)
                continue;
            Value *text = builder_.CreatePtrToInt(part.what, builder_.getInt64Ty());
            Value *is_before = builder_.CreateICmpULT(builder_.CreateAdd(text, part.length), first);
            require(builder_.CreateOr(is_before, builder_.CreateICmpUGT(text, last)));
        }
    }

    Value *put(Value *at) {
        for (const Part &part : parts_) {
            const bool zeros = part.of.with_zeros && !part.of.to_the_left;
            if (part.fill && !part.of.to_the_left && !zeros)
                at = fill(at, ' ', part.fill);
            at = put(at, part, zeros);
            if (part.fill && part.of.to_the_left)
                at = fill(at, ' ', part.fill);
        }
        return at;
    }

    Value *fill(Value *at, char with, Value *length) {
        builder_.CreateMemSet(at, builder_.getInt8(static_cast<uint8_t>(with)), length, Align(1));
        return behind(at, length);
    }

    Value *put(Value *at, const Part &part, bool zeros) {
        switch (part.of.of) {
        case Conversion::Of::literal:
            builder_.CreateMemCpy(at, Align(1), builder_.CreateGlobalString(part.of.literal, "thalweg.text"), Align(1),
                                  part.length);
            return behind(at, part.length);
        case Conversion::Of::text:
            builder_.CreateMemCpy(at, Align(1), part.what, Align(1), part.length);
            return behind(at, part.length);
        case Conversion::Of::character:
            builder_.CreateStore(builder_.CreateTrunc(part.what, builder_.getInt8Ty()), at);
            return behind(at, part.length);
        case Conversion::Of::signed_number:
        case Conversion::Of::unsigned_number:
        case Conversion::Of::hexadecimal:
            return put_number(at, part, zeros);
        }
        llvm_unreachable("all kinds of conversions have a case");
    }

    Value *put_number(Value *at, const Part &part, bool zeros) {
        if (part.is_negative) {
            // A digit takes its place where there is no sign.
            builder_.CreateStore(builder_.getInt8('-'), at);
            at = behind(at, builder_.CreateZExt(part.is_negative, builder_.getInt64Ty()));
        }
        if (part.fill && zeros)
            at = fill(at, '0', part.fill);
        Module &module = *function_.getParent();
        if (part.of.of == Conversion::Of::hexadecimal)
            builder_.CreateCall(declare(module, ABI_SYMBOL(thalweg_crossing_put_hexadecimal)),
                                {at, part.what, part.digits, builder_.getInt32(part.of.large_letters ? 1 : 0)});
        else
            builder_.CreateCall(declare(module, ABI_SYMBOL(thalweg_crossing_put_decimal)),
                                {at, part.what, part.digits});
        return behind(at, part.digits);
    }

    Value *result(Value *length) {
        using knowledge::Put;
        switch (of_.output->put) {
        case Put::format:
        case Put::line:
            return builder_.CreateTrunc(length, builder_.getInt32Ty());
        case Put::byte:
            return builder_.CreateAnd(argument(of_.output->text), builder_.getInt32(UCHAR_MAX));
        case Put::text:
            return builder_.getInt32(1);  // as glibc has it
        case Put::objects:
            return argument(of_.output->bound);
        case Put::changes_formats:
            break;
        }
        llvm_unreachable("all that is put has a result");
    }

    const OutputCall &of_;
    const TargetLibraryInfo &library_;
    Value *single_ = nullptr;  // whether the process has one thread; null: nobody asks
    std::vector<Part> parts_;
};

// The types go by the format, which most of these functions have none of.
std::string name_of(const CallBase &call, const OutputCall &of) {
    const std::string name = ("thalweg." + call.getCalledFunction()->getName()).str();
    if (of.format.empty())
        return name;
    SHA256 hash;
    hash.update(of.format);
    const auto bytes = hash.final();
    return name + "." + toHex(ArrayRef(bytes).take_front(16), /*LowerCase=*/true);
}

// Whether the name is free, or declared as another library's.
bool is_others(const Module &module, StringRef name) {
    const GlobalValue *value = module.getNamedValue(name);
    return !value || (value->isDeclaration() && !value->hasLocalLinkage());
}

}  // namespace

std::string obstacle_in_place(const Module &module, const TargetLibraryInfo &library) {
    for (const StringRef name : {StringRef(standard_output), StringRef(standard_input), StringRef(single_threaded),
                                 library.getName(LibFunc_strlen), library.getName(LibFunc_memchr),
                                 library.getName(LibFunc_flockfile), library.getName(LibFunc_funlockfile)})
        if (!is_others(module, name))
            return "the program has its own " + name.str();
    for (const LibFunc function : {LibFunc_strlen, LibFunc_memchr, LibFunc_flockfile, LibFunc_funlockfile})
        if (!isLibFuncEmittable(&module, &library, function))
            return "the program declares " + library.getName(function).str() + " otherwise than the C library does";
    for (const Function &function : module)
        if (const knowledge::Output *output = knowledge::output(std::string_view(function.getName()));
            output && output->put == knowledge::Put::changes_formats)
            return function.getName().str() + " changes what formats mean";
    return {};
}

Function &output_function(const CallBase &call, const OutputCall &of, const TargetLibraryInfo &library) {
    return in_place_function(call, name_of(call, of),
                             [&](Function &function) { OutputFunction(function, call, of, library).write(); });
}

}  // namespace thalweg::transform
