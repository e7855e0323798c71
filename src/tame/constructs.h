// tame: what Tame adds to C++, one function for each construct; the table of them is in walk.cc.
#pragma once

#include "tame/work.h"

namespace thalweg::tame {

// Each begins at `at` and gives where to go on.

// functions.cc
size_t rewrite_tamed(Work &work, size_t at, const Place &place);
size_t rewrite_closure(Work &work, size_t at, const Place &place);
size_t rewrite_return(Work &work, size_t at, const Place &place);
size_t rewrite_default_return(Work &work, size_t at, const Place &place);
size_t rewrite_throw(Work &work, size_t at, const Place &place);
size_t rewrite_ancient(Work &work, size_t at, const Place &place);

// waits.cc
size_t rewrite_wait(Work &work, size_t at, const Place &place);
size_t rewrite_leaving(Work &work, size_t at, const Place &place);
size_t note_inner(Work &work, size_t at, const Place &place);

// variables.cc
size_t rewrite_variables(Work &work, size_t at, const Place &place);

// events.cc
size_t rewrite_mkevent(Work &work, size_t at, const Place &place);
size_t rewrite_at_sign(Work &work, size_t at, const Place &place);
size_t rewrite_trigger(Work &work, size_t at, const Place &place);
size_t note_trigger(Work &work, size_t at, const Place &place);
size_t rewrite_event_type(Work &work, size_t at, const Place &place);
size_t rewrite_event_name(Work &work, size_t at, const Place &place);
size_t rewrite_rendezvous(Work &work, size_t at, const Place &place);

// library.cc, headers.cc
size_t rewrite_call(Work &work, size_t at, const Place &place);
size_t rewrite_namespace(Work &work, size_t at, const Place &place);
size_t rewrite_move(Work &work, size_t at, const Place &place);
// It was translated before: our header, and nothing that only Tame has.
bool is_translated(const Source &source);
void add_declarations(Work &work);

}  // namespace thalweg::tame
