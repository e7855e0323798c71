// link: where the compiler and the linker stand, and what belongs to this version of Thalweg.
#pragma once

#include <string>

namespace thalweg::link {

// One version of LLVM: bitcode and the plug-in's interface are not stable across versions.
inline constexpr const char *c_compiler = "clang-19";
inline constexpr const char *cxx_compiler = "clang++-19";
// By its full path: `-fuse-ld=lld-19` would silently ignore the bitcode of fat objects.
inline constexpr const char *linker = "/usr/lib/llvm-19/bin/ld.lld";
inline constexpr const char *profdata_tool = "/usr/lib/llvm-19/bin/llvm-profdata";
inline constexpr const char *profile_runtime = "/usr/lib/llvm-19/lib/clang/19/lib/linux/libclang_rt.profile-x86_64.a";
inline constexpr const char *pass_runner = "/usr/lib/llvm-19/bin/opt";
inline constexpr const char *objcopy = "/usr/lib/llvm-19/bin/llvm-objcopy";

// Where PATH finds `name`, in full; the name itself where it doesn't. Folders that are not given from the root are passed over: a
// command that is started in another folder would look for them there.
std::string program_in_path(const std::string &name);

// Beside bin/: lib/thalweg, in the build folder as after installation.
std::string library_folder();
std::string plugin_path();
std::string unit_plugin_path();  // of compilations
std::string recorder_path();
std::string crossing_path();
std::string audit_path();
std::string wrapper_path();  // thalweg-cc
// Folders of what users' programs include and link, beside bin/ after installation; empty: they stand elsewhere (in a checkout), or where
// every compiler looks.
std::string own_headers();
std::string own_libraries();

}  // namespace thalweg::link
