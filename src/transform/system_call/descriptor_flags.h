// transform: the calls that make descriptors, and what a program does to their flags behind them.
#pragma once

#include <cstdint>
#include <string>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"

#include "knowledge/descriptor_maker.h"

namespace thalweg::transform {

using knowledge::DescriptorMaker;

// Null: it makes no descriptor that can be had with flags, or what it is called with isn't known.
const DescriptorMaker *maker_of(const llvm::CallBase &call);

// What becomes of the calls on the ways that begin where the maker has succeeded.
struct FlagWays {
    std::string why_not;  // empty: one way at least leads through all that are wanted
    llvm::CallBase *obstacle = nullptr;  // a call of a function with a body that ends a way
    uint32_t flags = 0;  // that the calls set (abi/made_descriptor.h), of all descriptors, and that were not set before
    struct LeftOut {
        int64_t result;
        bool is_last;  // the flags are what they are to be
    };
    llvm::MapVector<llvm::CallInst *, LeftOut> left_out;
    // Instructions in front of which a way ends too early, and the flags that each descriptor has there.
    struct End {
        uint32_t flags[2];
    };
    llvm::MapVector<llvm::Instruction *, End> ends;
    bool needs_status = false;  // a result rests on what F_GETFL gives
};

// `wanted`: numbers of find_system_calls, of calls of fcntl and ioctl.
FlagWays follow_descriptor(llvm::CallInst &call, const DescriptorMaker &maker, llvm::ArrayRef<uint32_t> wanted,
                           llvm::AAResults &aliases);

}  // namespace thalweg::transform
