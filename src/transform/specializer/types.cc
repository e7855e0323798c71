// transform: type tags, compared.
#include "transform/specializer/types.h"

#include "llvm/IR/Constants.h"

namespace thalweg::transform::specializer {

using namespace llvm;

bool TypeTags::differ(const MDNode *one, const MDNode *other) {
    if (!one || !other || one == other)
        return false;
    const auto [place, is_new] = known_.try_emplace({one, other}, false);
    if (is_new) {
        const Constant *somewhere = PoisonValue::get(PointerType::getUnqual(one->getContext()));
        const auto access = [&](const MDNode *tag) {
            AAMDNodes tags;
            tags.TBAA = const_cast<MDNode *>(tag);
            return MemoryLocation::getBeforeOrAfter(somewhere, tags);
        };
        place->second = results_.isNoAlias(access(one), access(other));
    }
    return place->second;
}

}  // namespace thalweg::transform::specializer
