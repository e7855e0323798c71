// transform: how many points of the program the attempts at a plan's layers may look at, each and together, so that those which come to no end leave the
// others their turn, and the link its time.
#pragma once

#include <cstddef>
#include <string>

namespace thalweg::transform::specializer {

// Points that are looked at for one attempt of one decision with facts, so that the others have their turn: nine layers of Sun RPC took 14,700
// together with theirs.
inline constexpr size_t max_looks_with_facts = 8000;
// At a decision's first turn, while others wait for theirs; what has no end then is asked once more, after all of them, with what they left.
inline constexpr size_t max_looks_at_first = 2000;
// But for what executes so much of the run: it is worth more than others' turns. Of lighttpd, whose 31 last layers had none, those five that had no end
// executed 1.5 to 7.5 % each; nanopb's encoder, which looks at 17,000 before it is made, executes more than this.
inline constexpr double part_that_is_not_put_off = 0.125;
// Of what is asked once more, or was put off as the loop around other layers: on the 26 programs of the benchmark `board`, gperf's loop is made with
// 2,079 points and nginx's host check with 2,508. Twelve others came to an end with 2,064 to 13,746, and were in vain; 70 had no end with 8,000.
inline constexpr size_t max_looks_asked_again = 4000;
// And for one attempt of one of them without facts: nanopb's encoder, which has none but its tables, takes 8,925.
inline constexpr size_t max_looks_without_facts = 25000;
// With fewer facts, after an attempt with all of them had no end: what came to an end then looked at 2 to 35 points (three layers of Sun RPC) and at 2
// to 397 (four of the board's, in vain); nine of Sun RPC, nanopb, protobuf-c and cJSON had none after 8,000, 70 of the board's none after 2,000.
inline constexpr size_t max_looks_with_fewer_facts = 512;

class Looks {
  public:
    // Of one attempt: points of all its tries together; what of them may be had where each try takes few; and whether that is less than it was to have
    // because so many were looked at in vain.
    struct Bound {
        size_t looks = 0;
        size_t in_small_steps = 0;
        bool is_cut = false;
    };

    // Whose turn it is.
    struct Turn {
        size_t waiting =
            0;  // decisions that are still to come, this one among them; 0: it is asked once more, after all
        double part =
            0;  // what it executes in the recorded run, of what the one of these does that executes most; 0 to 1
        double part_of_run = 0;  // what it executes; 0: nobody knows
        size_t spent = 0;  // what its attempts have looked at so far
        size_t kept = 0;  // points that are for others
    };

    // `instructions`: of the program, LLVM's.
    explicit Looks(size_t instructions);

    bool any_left() const { return left_ != 0; }
    size_t left() const { return left_; }
    // What the user declares is worth what it takes.
    Bound of_declared(size_t wanted) const;
    Bound of_recorded(size_t wanted, const Turn &turn) const;
    void spend(size_t looks);
    // These came to a layer that is made.
    void gain(size_t looks);
    // Why a bound was cut, for the end of a reason.
    std::string words_of_cut() const;

  private:
    size_t kept_for(double part_of_run) const;

    const size_t in_vain_;
    size_t left_;
    size_t in_vain_left_;
};

}  // namespace thalweg::transform::specializer
