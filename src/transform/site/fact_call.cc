// transform: the direct calls that lead to generic code, by which what is noted there is kept apart.
#include "transform/site/fact_call.h"

#include <map>

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

#include "abi/raw_format.h"
#include "transform/site/dispatch_site.h"

namespace thalweg::transform {

using namespace llvm;

namespace {

// A function that is called from more places is a tool that everyone uses. Counted: glibc's sunrpc/ calls xdr_u_long at 27 places; of the
// functions with noted loads in the benchmarks' profiles, nanopb's pb_encode_varint is come to by the most calls, 9.
constexpr size_t calls_at_most = 32;
// All places of a program; 0.7 MB of each thread's file.
constexpr size_t places_at_most = 6144;
static_assert(places_at_most <= raw::table_sizes[raw::facts].most);

// The loads of one function: places one after the other.
struct Loads {
    uint32_t first = 0;
    uint32_t count = 0;
};

class CallFinder {
  public:
    CallFinder(const BodyList &bodies, FactPlaces &found) : bodies_(bodies), found_(found) {
        for (uint32_t i = 0; i < found.places.size(); ++i) {
            if (found.places[i].place.kind != model::FactKind::load)
                continue;
            Loads &loads = loads_of_[found.places[i].place.function];
            loads.first = loads.count == 0 ? i : loads.first;
            ++loads.count;
        }
        for (const uint32_t number : found.counted)
            note_calls(number);
    }

    void run() {
        for (const auto &[function, loads] : loads_of_) {
            const std::vector<model::CallPlace> &calls = calls_to_[function];
            const bool is_called_otherwise = bodies_.functions[function]->hasAddressTaken();
            if (calls.size() > calls_at_most || calls.size() + (is_called_otherwise ? 1 : 0) < 2 ||
                found_.places.size() + calls.size() * loads.count > places_at_most)
                continue;
            for (const model::CallPlace &call : calls)
                add(function, loads, call);
        }
    }

  private:
    void note_calls(uint32_t caller) {
        uint32_t ordinal = 0;
        for (CallBase *call : calls_in_order(*bodies_.functions[caller])) {
            const Function *callee = call->getCalledFunction();
            for (const uint32_t number : bodies_.bodies[caller].calls)
                if (bodies_.functions[number] == callee && loads_of_.contains(number))
                    calls_to_[number].push_back({caller, ordinal, place_of(*call)});
            ++ordinal;
        }
    }

    void add(uint32_t function, Loads loads, const model::CallPlace &call) {
        const auto first = static_cast<uint32_t>(found_.places.size());
        found_.calls.push_back({call.caller, call.ordinal, function, first - loads.first});
        for (uint32_t i = 0; i < loads.count; ++i) {
            WatchedPlace place = found_.places[loads.first + i];
            place.place.call = call;
            found_.places.push_back(place);
        }
    }

    const BodyList &bodies_;
    FactPlaces &found_;
    std::map<uint32_t, Loads> loads_of_;
    std::map<uint32_t, std::vector<model::CallPlace>> calls_to_;
};

}  // namespace

std::vector<CallBase *> calls_in_order(Function &function) {
    std::vector<CallBase *> calls;
    for (Instruction &instruction : instructions(function))
        if (auto *call = dyn_cast<CallBase>(&instruction); call && !isa<IntrinsicInst>(call))
            calls.push_back(call);
    return calls;
}

void add_places_by_call(const BodyList &bodies, FactPlaces &found) { CallFinder(bodies, found).run(); }

}  // namespace thalweg::transform
