// transform: the test before a region's loop: that nothing which the loop reads or writes lies in the objects that facts are about.
#pragma once

#include "transform/specializer/region.h"

namespace thalweg::transform::specializer {

// A call that stands for the test until the loop is in a form in which LLVM knows what it touches. Operands: the region, then
// for each object its number and address.
llvm::Value *write_apart_call(Residual &residual, unsigned region, const std::vector<const Object *> &objects,
                              llvm::IRBuilder<> &builder);

// Notes that `size` bytes at `address` are touched in the region, under the assumption.
void write_access_call(unsigned region, llvm::Value *address, uint64_t size, llvm::IRBuilder<> &builder);

// Stands where a region's assumptions end because a fact did not hold, so that no access from before is made one with an access from
// after: it would lose what is assumed of it.
void write_end_of_assumptions(llvm::IRBuilder<> &builder);

struct ApartGuards {
    uint32_t written = 0;
    std::set<unsigned> impossible;  // regions whose addresses are not known before their loops
    bool again = false;  // the function is of no use: what stands in the way is known now, and noted in the regions
};

// Brings the function into the loop optimiser's form, puts the tests in the calls' places and takes out the notes.
// An address is computed on the assumption that the test is about, and that is right: the first access that hit an object would
// be at the address so computed, since everything before it has gone as assumed, and the test excludes that address.
ApartGuards write_apart_guards(llvm::Function &function, Regions &regions);

}  // namespace thalweg::transform::specializer
