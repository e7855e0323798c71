// transform: the tests at a line's front that may be made in one go become one: a list's slots compared with an image of them.
#pragma once

namespace llvm {
class Function;
class Instruction;
class Module;
class TargetTransformInfo;
}  // namespace llvm

namespace thalweg::transform {

// Marks a branch as a test at a front: it goes on to its first successor while a recorded fact holds.
void mark_front_test(llvm::Instruction &branch);

// Replaces the slot-by-slot tests of a list that is walked from a first to a last slot by one call, which compares all slots with their image. The
// function that is called is generated for the list.
void join_front_tests(llvm::Function &function, const llvm::TargetTransformInfo &target);

// Inlines those functions. Must be the last pass: LLVM would canonicalise the comparison to a form with twice the instructions.
void inline_joined_tests(llvm::Module &module);

}  // namespace thalweg::transform
