// cli: one function a verb, each in the file of its name.
#pragma once

#include <string>
#include <vector>

namespace thalweg::cli {

using Words = std::vector<std::string>;

int run_auto(const Words &words);
int run_bisect(const Words &words);
int run_bundle(const Words &words);
int run_clean(const Words &words);
int run_compare(const Words &words);
int run_diff(const Words &words);
int run_doctor(const Words &words);
int run_explain(const Words &words);
int run_export(const Words &words);
int run_functions(const Words &words);
int run_machine(const Words &words);
int run_merge(const Words &words);
int run_optimize(const Words &words);
int run_plan(const Words &words);
int run_record(const Words &words);
int run_relink(const Words &words);
int run_report(const Words &words);
int run_specialize(const Words &words);
int run_stat(const Words &words);
int run_tame(const Words &words);

}  // namespace thalweg::cli
