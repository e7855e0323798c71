// transform: tests of the abstract machine: small functions are followed, and it is asked what is known where.
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/BasicAliasAnalysis.h"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/ValueSymbolTable.h"
#include "llvm/Support/SourceMgr.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "transform/abstract/cells.h"
#include "transform/abstract/successor.h"

namespace thalweg::transform::abstract {
namespace {

using namespace llvm;
using testing::ElementsAre;

// A function f of this text; of its values those are known that are set here, constants, and what comes of them.
struct Followed {
    explicit Followed(const std::string &text) : module(parseAssemblyString(text, error, context)) {
        EXPECT_TRUE(module) << error.getMessage().str();
    }
    Function &function() const { return *module->getFunction("f"); }
    const Value &named(StringRef name) const { return *function().getValueSymbolTable()->lookup(name); }
    Known read(const Value &value) const {
        const auto *constant = dyn_cast<Constant>(&value);
        return constant ? of_constant(*constant, module->getDataLayout()) : values.lookup(&value);
    }
    auto reader() const {
        return [this](const Value &value) { return read(value); };
    }
    Followed &set(StringRef name, const Known &is) {
        values[&named(name)] = is;
        return *this;
    }
    std::optional<Known> operator[](StringRef name) {
        for (const Instruction &one : instructions(function()))
            if (const std::optional<Known> is = evaluate(one, reader()))
                values[&one] = *is;
        return evaluate(cast<Instruction>(named(name)), reader());
    }
    Known base(StringRef name, int64_t offset = 0) const { return pointer(named(name), offset); }

    LLVMContext context;
    SMDiagnostic error;
    std::unique_ptr<Module> module;
    DenseMap<const Value *, Known> values;
};

Known bits(unsigned width, uint64_t value) { return number(APInt(width, value)); }
const Known yes = bits(1, 1);
const Known no = bits(1, 0);

TEST(Known, numbers_are_what_llvm_folds_them_to) {
    for (const char *operation :
         {"add", "sub", "mul", "udiv", "sdiv", "urem", "srem", "shl", "lshr", "ashr", "and", "or", "xor"})
        for (const uint64_t left : {0, 1, 7, 100, 127, 128, 255})
            for (const uint64_t right : {1, 2, 3, 5, 7}) {
                Followed f(std::string("define i8 @f(i8 %a, i8 %b) {\n %x = ") + operation +
                           " i8 %a, %b\n ret i8 %x }");
                auto &x = cast<Instruction>(const_cast<Value &>(f.named("x")));
                const std::vector<Constant *> operands = {ConstantInt::get(x.getType(), left),
                                                          ConstantInt::get(x.getType(), right)};
                const auto *folded =
                    cast<ConstantInt>(ConstantFoldInstOperands(&x, operands, f.module->getDataLayout()));
                EXPECT_EQ(f.set("a", bits(8, left)).set("b", bits(8, right))["x"], number(folded->getValue()))
                    << operation << " " << left << ", " << right;
            }
}

TEST(Known, numbers_are_not_followed_where_they_are_wide_or_an_operand_is_anything) {
    Followed f("define void @f(i128 %w, i32 %u, i32 %k) {\n %x = add i128 %w, 1\n %y = add i32 %u, %k\n ret void }");
    f.set("w", bits(128, 1)).set("k", bits(32, 1));
    EXPECT_EQ(f["x"], std::nullopt);
    EXPECT_EQ(f["y"], std::nullopt);
}

constexpr const char *sums = R"(define void @f(ptr %p, ptr %q, i32 %n, i64 %i) {
  %a = getelementptr i32, ptr %p, i64 %i
  %above = icmp ugt ptr %a, %p
  %other = icmp eq ptr %p, %q
  %m = add i32 %n, 3
  %same = icmp eq i32 %m, %n
  %larger = icmp ugt i32 %m, %n
  %product = mul i32 %n, 2
  %chosen = select i1 %above, ptr %a, ptr %q
  %unsure = select i1 %other, ptr %p, ptr %q
  ret void })";

TEST(Known, addresses_and_sums_are_known_by_their_distance) {
    Followed f(sums);
    f.set("p", f.base("p")).set("q", f.base("q")).set("i", bits(64, 2));
    f.set("n", {&f.named("n"), ConstantRange(APInt(32, 0))}).set("other", anything(*f.named("other").getType()));
    EXPECT_EQ(f["a"], f.base("p", 8));
    EXPECT_EQ(f["above"], yes);
    EXPECT_EQ(f["same"], no);
    EXPECT_EQ(f["chosen"], f.base("p", 8));
    EXPECT_EQ(f["other"], std::nullopt) << "two pointers may be the same";
    EXPECT_EQ(f["unsure"], std::nullopt);
    EXPECT_EQ(f["larger"], std::nullopt) << "a sum of numbers may wrap";
    EXPECT_EQ(f["product"], std::nullopt);
    f.set("i", {});
    EXPECT_EQ(f["a"], std::nullopt) << "so far, but how far?";
}

TEST(Known, a_range_decides_what_holds_in_all_of_it) {
    Followed f("define void @f(i8 %c) {\n %w = zext i8 %c to i32\n %all = icmp ult i32 %w, 256\n"
               " %some = icmp ult i32 %w, 9\n ret void }");
    f.set("c", anything(*f.named("c").getType()));
    EXPECT_EQ(f["all"], yes);
    EXPECT_EQ(f["some"], Known(nullptr, ConstantRange::getFull(1)));
}

TEST(Successor, is_one_where_what_is_asked_about_is_a_number) {
    Followed f(
        "define void @f(i32 %n) {\n switch i32 %n, label %d [ i32 1, label %a i32 2, label %b i32 3, label %a ]\n"
        "a:\n ret void\nb:\n ret void\nd:\n ret void }");
    const Instruction &end = *f.function().getEntryBlock().getTerminator();
    EXPECT_THAT(possible_successors(end, f.reader()), ElementsAre(&f.named("d"), &f.named("a"), &f.named("b")));
    f.set("n", bits(32, 3));
    EXPECT_THAT(possible_successors(end, f.reader()), ElementsAre(&f.named("a")));
    f.set("n", {&f.named("n"), ConstantRange(APInt(32, 3))});
    EXPECT_EQ(possible_successors(end, f.reader()).size(), 3U) << "3 more than what it is";
}

TEST(Successor, phis_are_taken_all_at_once) {
    Followed f("define void @f() {\n br label %l\nl:\n %a = phi i32 [ 1, %0 ], [ %b, %l ]\n"
               " %b = phi i32 [ 2, %0 ], [ %a, %l ]\n br label %l }");
    BasicBlock &loop = f.function().back();
    for (const BasicBlock *from : {&f.function().front(), &loop})
        take_phis(*from, loop, f.reader(), [&](const Value &phi, const Known &is) { f.values[&phi] = is; });
    EXPECT_EQ(f.read(f.named("a")), bits(32, 2));
    EXPECT_EQ(f.read(f.named("b")), bits(32, 1)) << "and not what a has become";
}

// What is known when f returns of 4 bytes at %x, in whose first 8 bytes a call left 7.
Known left_by(const std::string &body) {
    Followed f("declare void @takes(ptr)\ndeclare void @reads(ptr readonly nocapture) memory(argmem: read)\n"
               "define void @f(ptr %p) {\n %x = alloca [4 x i32]\n %x1 = getelementptr i8, ptr %x, i64 4\n" +
               body + "\n ret void }");
    TargetLibraryInfoImpl names;
    TargetLibraryInfo library(names);
    DominatorTree tree(f.function());
    AssumptionCache assumptions(f.function());
    BasicAAResult basic(f.module->getDataLayout(), f.function(), library, assumptions, &tree);
    AAResults aliases(library);
    aliases.addAAResult(basic);
    Cells cells(aliases, f.module->getDataLayout());
    cells.put(MemoryLocation(&f.named("x"), LocationSize::precise(8)), 0, 4, bits(32, 7));
    for (const Instruction &one : instructions(f.function()))
        if (const auto *store = dyn_cast<StoreInst>(&one))
            cells.store(*store, f.read(*store->getValueOperand()));
        else if (const auto *call = dyn_cast<CallBase>(&one))
            cells.call(*call);
    EXPECT_EQ(cells.at(f.named("x"), 2), Known{}) << "a part of it";
    return cells.at(f.named("x"), 4);
}

TEST(Cells, hold_what_nothing_can_have_written_over) {
    EXPECT_EQ(left_by(""), bits(32, 7));
    EXPECT_EQ(left_by("store i32 8, ptr %x1"), bits(32, 7)) << "beside it";
    EXPECT_EQ(left_by("store i32 8, ptr %p"), bits(32, 7)) << "nobody else has its address";
    EXPECT_EQ(left_by("call void @reads(ptr %x)"), bits(32, 7));
    EXPECT_EQ(left_by("store i32 8, ptr %x"), bits(32, 8));
}

TEST(Cells, do_not_hold_what_a_store_or_a_call_may_have_written_over) {
    EXPECT_EQ(left_by("store i64 8, ptr %x"), Known{});
    EXPECT_EQ(left_by("%y = load i32, ptr %p\n store i32 %y, ptr %x"), Known{}) << "with what is not known";
    EXPECT_EQ(left_by("%i = load i64, ptr %p\n %y = getelementptr i8, ptr %x, i64 %i\n store i8 0, ptr %y"), Known{});
    EXPECT_EQ(left_by("call void @takes(ptr %x)"), Known{});
}

}  // namespace
}  // namespace thalweg::transform::abstract
