// tests: what opt-19 does with the plug-in, in a program that holds the plug-in's code: so it can be under the sanitizers, which
// LLVM's own programs are not.
//
//   thalweg_opt -passes=PIPELINE INPUT -o OUTPUT      the job is in THALWEG_TRANSFORM_JOB, as the plug-in has it
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Passes/PassPlugin.h"
#include "llvm/Passes/StandardInstrumentations.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"

extern "C" llvm::PassPluginLibraryInfo llvmGetPassPluginInfo();

// LLVM frees much only when a process ends, or never.
extern "C" const char *__asan_default_options() { return "detect_leaks=0"; }

namespace {

using namespace llvm;

std::unique_ptr<TargetMachine> machine_of(const Module &module) {
    InitializeNativeTarget();
    std::string problem;
    const Target *target = TargetRegistry::lookupTarget(module.getTargetTriple(), problem);
    return std::unique_ptr<TargetMachine>(
        target ? target->createTargetMachine(module.getTargetTriple(), "", "", TargetOptions(), std::nullopt)
               : nullptr);
}

Error run(Module &module, StringRef pipeline) {
    const std::unique_ptr<TargetMachine> machine = machine_of(module);
    LoopAnalysisManager loops;
    FunctionAnalysisManager functions;
    CGSCCAnalysisManager components;
    ModuleAnalysisManager modules;
    // They pass over functions that are not to be optimised.
    PassInstrumentationCallbacks callbacks;
    StandardInstrumentations standard(module.getContext(), false);
    standard.registerCallbacks(callbacks, &modules);
    PassBuilder builder(machine.get(), PipelineTuningOptions(), std::nullopt, &callbacks);
    llvmGetPassPluginInfo().RegisterPassBuilderCallbacks(builder);
    functions.registerPass(
        [&] { return TargetLibraryAnalysis(TargetLibraryInfoImpl(Triple(module.getTargetTriple()))); });
    builder.registerModuleAnalyses(modules);
    builder.registerCGSCCAnalyses(components);
    builder.registerFunctionAnalyses(functions);
    builder.registerLoopAnalyses(loops);
    builder.crossRegisterProxies(loops, functions, components, modules);
    ModulePassManager passes;
    if (Error error = builder.parsePassPipeline(passes, pipeline))
        return error;
    passes.addPass(VerifierPass());
    passes.run(module, modules);
    return Error::success();
}

}  // namespace

int main(int count, char **words) {
    const cl::opt<std::string> input(cl::Positional, cl::Required);
    const cl::opt<std::string> output("o", cl::Required);
    const cl::opt<std::string> pipeline("passes", cl::Required);
    cl::ParseCommandLineOptions(count, words);
    const ExitOnError or_end("thalweg_opt: ");
    LLVMContext context;
    SMDiagnostic problem;
    const std::unique_ptr<Module> module = parseIRFile(input, problem, context);
    if (!module) {
        problem.print(words[0], errs());
        return 1;
    }
    or_end(run(*module, pipeline));
    std::error_code unwritten;
    raw_fd_ostream out(output, unwritten, sys::fs::OF_Text);
    or_end(errorCodeToError(unwritten));
    module->print(out, nullptr);
    return 0;
}
