// transform: how many machine instructions an entry of a function executes.
#include "transform/profile/machine_work.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/CodeGen/MachineBlockFrequencyInfo.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachineModuleInfo.h"
#include "llvm/CodeGen/Passes.h"
#include "llvm/CodeGen/TargetPassConfig.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"

#include "transform/profile/extract.h"

namespace thalweg::transform {

using namespace llvm;

namespace {

// What is executed less often than this for each entry is not looked at, nor what it calls.
constexpr double least_rounds = 1e-3;
// Together they are made to code in some tenths of a second; larger is an interpreter's loop with all of its operations.
constexpr size_t most_instructions = 20000;

// Behind all of LLVM's passes that make code.
class CountCode : public MachineFunctionPass {
  public:
    static char id;
    explicit CountCode(double &executed) : MachineFunctionPass(id), executed_(executed) {}

    void getAnalysisUsage(AnalysisUsage &usage) const override {
        usage.addRequired<MachineBlockFrequencyInfoWrapperPass>();
        usage.setPreservesAll();
        MachineFunctionPass::getAnalysisUsage(usage);
    }

    bool runOnMachineFunction(MachineFunction &function) override {
        const auto entries = function.getFunction().getEntryCount();
        if (!entries)
            return false;
        const auto &frequencies = getAnalysis<MachineBlockFrequencyInfoWrapperPass>().getMBFI();
        double rounds = 0;
        for (const MachineBasicBlock &block : function)
            rounds += static_cast<double>(frequencies.getBlockFreq(&block).getFrequency()) *
                      static_cast<double>(count_if(
                          block, [](const MachineInstr &instruction) { return !instruction.isMetaInstruction(); }));
        executed_ += rounds / static_cast<double>(frequencies.getEntryFreq().getFrequency()) *
                     static_cast<double>(entries->getCount());
        return false;
    }

  private:
    double &executed_;
};

// LLVM tells passes apart by the address of this.
char CountCode::id;

std::unique_ptr<TargetMachine> machine_for(const Module &module) {
    std::string problem;
    const Target *target = TargetRegistry::lookupTarget(module.getTargetTriple(), problem);
    if (!target)
        return nullptr;
    // The processor and what it has stand at each function.
    return std::unique_ptr<TargetMachine>(target->createTargetMachine(module.getTargetTriple(), "", "", TargetOptions(),
                                                                      Reloc::PIC_, {}, CodeGenOptLevel::Default));
}

// Of a run that enters the first function so often: what LLVM's inlining goes by.
void set_counts(Module &module, Function &first, double entries) {
    FunctionAnalysisManager analyses;
    PassBuilder().registerFunctionAnalyses(analyses);
    const std::vector<Caller> callers = CallFrequencies(module, analyses).of_all(module);
    Entries from_elsewhere;
    from_elsewhere[&first] = entries;
    const Entries all = passed_on(callers, from_elsewhere, Entries());
    for (const Caller &caller : callers) {
        const double now = all.lookup(caller.function);
        caller.function->setEntryCount(static_cast<uint64_t>(now));
        share_targets(caller, now);
    }
}

void run_passes(Module &module, TargetMachine &machine) {
    PassBuilder builder(&machine);
    LoopAnalysisManager loops;
    FunctionAnalysisManager functions;
    CGSCCAnalysisManager calls;
    ModuleAnalysisManager modules;
    builder.registerModuleAnalyses(modules);
    builder.registerCGSCCAnalyses(calls);
    builder.registerFunctionAnalyses(functions);
    builder.registerLoopAnalyses(loops);
    builder.crossRegisterProxies(loops, functions, calls, modules);
    builder.buildLTODefaultPipeline(OptimizationLevel::O2, nullptr).run(module, modules);
}

// Machine instructions of the whole run; nothing: LLVM has no code for this.
std::optional<double> executed_code(Module &module, TargetMachine &machine) {
    auto &target = static_cast<LLVMTargetMachine &>(machine);
    double executed = 0;
    legacy::PassManager passes;
    passes.add(new TargetLibraryInfoWrapperPass(TargetLibraryInfoImpl(Triple(module.getTargetTriple()))));
    TargetPassConfig *config = target.createPassConfig(passes);
    passes.add(config);
    passes.add(new MachineModuleInfoWrapperPass(&target));
    if (config->addISelPasses())
        return {};
    config->addMachinePasses();
    config->setInitialized();
    passes.add(new CountCode(executed));
    passes.add(createFreeMachineFunctionPass());
    passes.run(module);
    return executed;
}

}  // namespace

MachineWork::MachineWork(Module &module, FunctionAnalysisManager &analyses)
    : frequencies_(module, analyses), machine_(machine_for(module)) {}

MachineWork::~MachineWork() = default;

// The function first; none: they are too many.
std::vector<Function *> MachineWork::executed_from(Function &function) const {
    SetVector<Function *> found;
    found.insert(&function);
    size_t instructions = 0;
    for (size_t i = 0; i < found.size(); ++i) {
        instructions += found[i]->getInstructionCount();
        if (instructions > most_instructions)
            return {};
        for (const auto &[callee, per_entry] : frequencies_.of(*found[i]).callees)
            if (per_entry >= least_rounds)
                found.insert(callee);
    }
    return {found.begin(), found.end()};
}

std::optional<double> MachineWork::of_entry(Function &function, double entries) {
    const std::vector<Function *> functions = executed_from(function);
    if (functions.empty() || !machine_ || entries < 1)
        return {};
    const std::unique_ptr<Module> module = extract(functions);
    if (!module)
        return {};
    set_counts(*module, *module->getFunction(function.getName()), entries);
    run_passes(*module, *machine_);
    const std::optional<double> executed = executed_code(*module, *machine_);
    return executed ? std::optional(*executed / entries) : std::nullopt;
}

}  // namespace thalweg::transform
