// transform: which loops become regions.
#include "transform/specializer/region.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/MDBuilder.h"

#include "transform/specializer/early.h"

namespace thalweg::transform::specializer {

using namespace llvm;

namespace {

// Different accesses of one loop that are told apart by object and type; a loop with more has no room in the registers anyway.
constexpr size_t most_accesses = 64;

// From the current frame outwards: the frame and the instruction that is at work in it.
template <class Visit>
void for_each_frame(const Context *context, const Instruction &at, Visit visit) {
    const Instruction *place = &at;
    for (const Context *frame = context; frame; place = frame->call, frame = frame->caller)
        visit(frame, *place);
}

}  // namespace

Extent FirstTest::extent() const {
    const TypeSize size = load->getDataLayout().getTypeStoreSize(load->getType());
    return {place.offset, place.offset + static_cast<int64_t>(size)};
}

bool Region::may_begin_with(const FirstTest &test) const {
    const Extent bytes = test.extent();
    return (lies_between_accesses(test) || access_near(test)) && none_of(stored, [&](const auto &store) {
               const auto &[object, extent] = store;
               return object == test.place.object && extent.begin < bytes.end && bytes.begin < extent.end;
           });
}

bool Region::lies_between_accesses(const FirstTest &test) const {
    const auto accessed = readable.find(test.place.object);
    if (accessed == readable.end())
        return false;
    const Extent bytes = test.extent();
    const auto are_around = [&](const Extent &below, const Extent &above) {
        return below.begin <= bytes.begin && bytes.end <= above.end && above.begin - below.end < page;
    };
    return any_of(accessed->second, [&](const Extent &below) {
        return any_of(accessed->second, [&](const Extent &above) { return are_around(below, above); });
    });
}

const Extent *Region::access_near(const FirstTest &test) const {
    const auto accessed = readable.find(test.place.object);
    if (accessed == readable.end())
        return nullptr;
    const Extent bytes = test.extent();
    const auto near = find_if(accessed->second, [&](const Extent &access) {
        return access.begin - bytes.begin < page && bytes.end - access.end < page;
    });
    return near == accessed->second.end() ? nullptr : &*near;
}

void Region::note_first_test(const FirstTest &test) {
    if (is_contained(first_tests, test))
        return;
    first_tests.push_back(test);
    const auto is_same_place = [&](const FirstTest &other) { return other.place == test.place; };
    tests_more |= !may_begin_with(test) || count_if(first_tests, is_same_place) > 1;
}

void Regions::begin_attempt() {
    for (Region &region : regions_) {
        region.first_tests.clear();
        region.tests_more = false;
    }
}

bool Regions::take_first_tests() {
    bool any = false;
    for (Region &region : regions_) {
        if (region.before.empty() || region.first_tests.empty() || region.tests_more || !region.early_tests.empty())
            continue;
        region.early_tests = region.first_tests;
        any = true;
    }
    return any;
}

// Outermost first.
std::vector<Regions::Place> Regions::loops_around(const Context *context, const Instruction &at) {
    std::vector<Place> found;
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

void Regions::note_access(const Context *context, const Instruction &at, const Access &access) {
    for (const auto &[frame, loop] : loops_around(context, at))
        if (std::set<Access> &known = accesses_[{frame, loop->getHeader()}]; known.size() < most_accesses)
            known.insert(access);
}

// Whether a write of the loop's might hit what another access means, as far as LLVM will be able to tell: then neither stays in a
// register from one round to the next.
bool Regions::meet_in(const Header &header, const std::set<unsigned> &objects, TypeTags &types) const {
    const auto found = accesses_.find(header);
    if (found == accesses_.end())
        return false;
    const auto is_about = [&](const Access &access) { return access.object && objects.contains(*access.object); };
    return any_of(found->second, [&](const Access &write) {
        return write.writes && any_of(found->second, [&](const Access &other) {
                   return is_about(write) != is_about(other) && !types.differ(write.type, other.type);
               });
    });
}

void Regions::note_tested(const Context *context, const Instruction &at, const Object *object) {
    const Test test{context, &at};
    const auto [objects, is_new] = tested_.try_emplace(test);
    if (is_new)
        tests_.push_back(test);
    if (object)
        objects->second.insert(object->id);
}

const Regions::Place *Regions::wanted_around(const std::vector<Place> &loops, const std::set<unsigned> &objects,
                                             TypeTags &types) const {
    const auto found = llvm::find_if(loops, [&](const Place &place) {
        const Header header{place.first, place.second->getHeader()};
        return !banned_.contains(header) && (forgotten_.contains(header) || meet_in(header, objects, types));
    });
    return found == loops.end() ? nullptr : &*found;
}

bool Regions::take_wanted(TypeTags &types) {
    const size_t before = regions_.size();
    for (const Test &test : tests_) {
        const std::vector<Place> loops = loops_around(test.context, *test.at);
        const Place *wanted = wanted_around(loops, tested_[test], types);
        if (!wanted)
            continue;
        const auto id = static_cast<unsigned>(regions_.size() + 1);
        const auto [known, is_new] = by_header_.try_emplace({wanted->first, wanted->second->getHeader()}, id);
        if (is_new) {
            Region &region = regions_.emplace_back();
            region.id = id;
            region.context = wanted->first;
            region.loop = wanted->second;
            region.before = straight_way_to(*wanted->second);
            by_begin_[{wanted->first, regions_.back().begin()}] = id;
        }
        by_id(known->second).tested.merge(tested_[test]);
    }
    tests_.clear();
    tested_.clear();
    return regions_.size() > before;
}

void Regions::ban(unsigned id) {
    Region &region = by_id(id);
    const Header header{region.context, region.loop->getHeader()};
    by_begin_.erase({region.context, region.begin()});
    if (!region.before.empty()) {  // then where its loop begins
        region.before.clear();
        region.readable.clear();
        region.stored.clear();
        region.extents.clear();
        by_begin_[header] = id;
        return;
    }
    banned_.insert(header);
    by_header_.erase(header);
}

Region *Regions::at_begin(const Context *context, const Instruction &start) {
    if (&start != start.getParent()->getFirstNonPHI())
        return nullptr;
    const auto found = by_begin_.find({context, start.getParent()});
    return found == by_begin_.end() ? nullptr : &by_id(found->second);
}

bool Regions::contains(unsigned id, const Context *context, const Instruction &at) const {
    const Region &region = regions_[id - 1];
    bool inside = false;
    for_each_frame(context, at, [&](const Context *frame, const Instruction &place) {
        inside |= frame == region.context &&
                  (region.loop->contains(place.getParent()) || is_contained(region.before, place.getParent()));
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
