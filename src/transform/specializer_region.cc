// transform: which loops become regions.
#include "transform/specializer_region.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/MDBuilder.h"

namespace thalweg::transform::specializer {

using namespace llvm;

namespace {

// From the current frame outwards: the frame and the instruction that is at work in it.
template <class Visit>
void for_each_frame(const Context *context, const Instruction &at, Visit visit) {
    const Instruction *place = &at;
    for (const Context *frame = context; frame; place = frame->call, frame = frame->caller)
        visit(frame, *place);
}

}  // namespace

// Outermost first.
std::vector<std::pair<const Context *, const Loop *>> Regions::loops_around(const Context *context,
                                                                            const Instruction &at) {
    std::vector<std::pair<const Context *, const Loop *>> found;
    for_each_frame(context, at, [&](const Context *frame, const Instruction &place) {
        for (const Loop *loop = frame->info->loops().getLoopFor(place.getParent()); loop; loop = loop->getParentLoop())
            found.emplace_back(frame, loop);
    });
    std::reverse(found.begin(), found.end());
    return found;
}

void Regions::note_forgotten(const Context *context, const Instruction &at) {
    for (const auto &[frame, loop] : loops_around(context, at))
        forgotten_.insert({frame, loop->getHeader()});
}

void Regions::note_tested(const Context *context, const Instruction &at) {
    for (const auto &[frame, loop] : loops_around(context, at)) {
        const Header header{frame, loop->getHeader()};
        if (!forgotten_.contains(header) || banned_.contains(header))
            continue;
        if (wanted_.insert(header).second)
            wanted_loops_.emplace_back(frame, loop);
        return;
    }
}

bool Regions::take_wanted() {
    const size_t before = regions_.size();
    for (const auto &[frame, loop] : wanted_loops_) {
        const auto id = static_cast<unsigned>(regions_.size() + 1);
        if (!by_header_.try_emplace({frame, loop->getHeader()}, id).second)
            continue;
        regions_.push_back({id, frame, loop, {}, {}, nullptr});
    }
    wanted_loops_.clear();
    return regions_.size() > before;
}

void Regions::ban(unsigned id) {
    const Region &region = by_id(id);
    const Header header{region.context, region.loop->getHeader()};
    banned_.insert(header);
    by_header_.erase(header);
}

Region *Regions::at_header(const Context *context, const Instruction &start) {
    if (&start != start.getParent()->getFirstNonPHI())
        return nullptr;
    const auto found = by_header_.find({context, start.getParent()});
    return found == by_header_.end() ? nullptr : &by_id(found->second);
}

bool Regions::contains(unsigned id, const Context *context, const Instruction &at) const {
    const Region &region = regions_[id - 1];
    bool inside = false;
    for_each_frame(context, at, [&](const Context *frame, const Instruction &place) {
        inside |= frame == region.context && region.loop->contains(place.getParent());
    });
    return inside;
}

MDNode *Regions::scope(Region &region, const Object &object, LLVMContext &context) {
    MDBuilder builder(context);
    if (!region.domain)
        region.domain = builder.createAnonymousAliasScopeDomain("thalweg");
    MDNode *&scope = region.scopes[object.id];
    if (!scope)
        scope = builder.createAnonymousAliasScope(region.domain);
    return scope;
}

}  // namespace thalweg::transform::specializer
