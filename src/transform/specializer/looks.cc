// transform: the bounds of what is looked at, and their sources.
#include "transform/specializer/looks.h"

#include <algorithm>
#include <cstdint>

#include <fmt/format.h>

namespace thalweg::transform::specializer {

namespace {

// Points that are looked at for all decisions of a plan together. Of nanopb's some 25,000 take a second. Sun RPC's last two small layers come
// after 95,000.
constexpr size_t max_looks_together = 100000;
// Points that are looked at in vain, for each IR instruction of the program: a point takes 15 to 30 us, and link-time optimisation 40 to 60 us for an
// instruction (26 programs of the benchmark `board`). The layers of these that gain come after 0.5 at most.
constexpr size_t looks_in_vain_an_instruction = 1;
// However small the program is: half a second. nanopb's encoder is made within it, whose decoder is asked before; of the 26 programs of `board` each has
// the same layers as with 35,000.
constexpr size_t least_looks_in_vain = 25000;
// However many were, for each attempt: of nanopb's and Sun RPC's small layers each takes 167 at most.
constexpr size_t looks_of_small_layer = 256;
// And, of what may be looked at in vain as large a part as it executes of the run, halved, since layers hold others: expat's lookup, which is asked for as
// one of the last and gains, executes 8 % and needs 811 of 27,000.
constexpr double parts_of_kept = 2;
// For what comes nearer to its end step by step: protobuf-c's encoder takes 18 attempts and 34,000 looks.
constexpr size_t max_looks_in_small_steps = 40000;

// What executes half as much as the one that executes most may take all. The others leave those behind them their turn: most look at a few hundred points (expat: 40 of 55 decisions end within
// 300). What is asked after all others may take what they left.
size_t share(size_t left, const Looks::Turn &turn) {
    if (turn.waiting == 0)
        return std::max(left, looks_of_small_layer);
    const double part = std::min(1.0, 1 / static_cast<double>(turn.waiting) + 2 * turn.part);
    return std::max(looks_of_small_layer, static_cast<size_t>(static_cast<double>(left) * part));
}

}  // namespace

Looks::Looks(size_t instructions)
    : in_vain_(std::max(least_looks_in_vain, looks_in_vain_an_instruction * instructions)), left_(max_looks_together),
      in_vain_left_(in_vain_) {}

Looks::Bound Looks::of_declared(size_t wanted) const {
    return {std::min(wanted, left_), std::min(max_looks_in_small_steps, left_), false};
}

Looks::Bound Looks::of_recorded(size_t wanted, const Turn &turn) const {
    const size_t left = left_ - std::min(left_, turn.kept);
    const size_t own = share(left, turn);
    const size_t looks = std::min({wanted, left, own});
    const size_t in_vain = share(in_vain_left_, turn);
    if (looks <= in_vain)
        return {looks, std::min({max_looks_in_small_steps, left, own}), false};
    const size_t kept = kept_for(turn.part_of_run);
    return {std::min(looks, std::max(in_vain, kept - std::min(kept, turn.spent))), 0, true};
}

// However much others have taken.
size_t Looks::kept_for(double part_of_run) const {
    return static_cast<size_t>(static_cast<double>(in_vain_) * std::min(part_of_run, 1.0) / parts_of_kept);
}

void Looks::spend(size_t looks) {
    left_ -= std::min(left_, looks);
    in_vain_left_ -= std::min(in_vain_left_, looks);
}

void Looks::gain(size_t looks) { in_vain_left_ += looks; }

std::string Looks::words_of_cut() const {
    return fmt::format("; this program's layers may look at {} points in vain together, {} for each of its IR "
                       "instructions and at least {}",
                       in_vain_, looks_in_vain_an_instruction, least_looks_in_vain);
}

}  // namespace thalweg::transform::specializer
