// transform: the places of a program that enter the kernel, or would where a buffer is full: direct calls of the C library.
#pragma once

#include <vector>

#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

#include "knowledge/function.h"
#include "model/site.h"

namespace thalweg::transform {

// Remote calls too, and what puts bytes into a buffer. In module order; site i's call is marked with i, and keeps the mark where it is cloned. A function of
// the program's own that has the name of a system call is none, and nor is a call in place of a return.
std::vector<model::Site> find_system_calls(llvm::Module &module);

// The number that find_system_calls gave; no_call: it gave none.
inline constexpr uint32_t no_call = UINT32_MAX;
uint32_t system_call_of(const llvm::Instruction &instruction);

// All calls of the module with this number, in module order: the original's and those of copies of its function.
std::vector<llvm::CallBase *> calls_at(llvm::Module &module, uint32_t number);

// What it calls, where that is a system call (knowledge/function.h) of another library's; else null.
const knowledge::SystemCall *called_system_call(const llvm::CallBase &call);
// And what that does; Act::other where it is none.
knowledge::Act act_of(const llvm::CallBase &call);
// "a pointer": what it is isn't known.
llvm::StringRef called_name(const llvm::CallBase &call);
// Whether it is the address of the thread's errno.
bool is_place_of_errno(const llvm::Value &value);

// Whether it is a call through a client's table of operations, as <rpc/clnt.h> writes a remote call (clnt_call):
// client->operations->call(client, procedure, encode, arguments, decode, results, time limit by value).
bool is_remote_call(const llvm::CallBase &call);
// Of a system call that find_system_calls marked: what it is, or null where it became another.
const knowledge::SystemCall *marked_system_call(const llvm::CallBase &call);

}  // namespace thalweg::transform
