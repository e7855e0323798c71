// report: linker names as people write them, short where a line has no room; names that are none stay as they are.
#include "report/names.h"

#include <gtest/gtest.h>

namespace thalweg::report {
namespace {

TEST(ReadableName, is_as_people_write_it_and_else_as_it_is) {
    EXPECT_EQ(readable("_ZN3Net4sendEv"), "Net::send()");
    EXPECT_EQ(readable("_Z2onITnDaXadL_Z6smoothiEEEvv"), "void on<&(smooth(int))>()");
    EXPECT_EQ(readable("main"), "main");
    EXPECT_EQ(readable("_ZZZ"), "_ZZZ");
}

TEST(ShortName, has_neither_return_type_nor_parameters) {
    EXPECT_EQ(short_name("_ZN3Net4sendEv"), "Net::send");
    EXPECT_EQ(short_name("_ZNK3Net4sizeEv"), "Net::size");
    EXPECT_EQ(short_name("_ZNSt6vectorIiSaIiEE9push_backEOi"), "std::vector<int, std::allocator<int> >::push_back");
    EXPECT_EQ(short_name("_ZN12_GLOBAL__N_15twiceERl"), "twice");
    EXPECT_EQ(short_name("_Z3maxIiET_S0_S0_"), "max<int>");
    EXPECT_EQ(short_name("main"), "main");
    EXPECT_EQ(short_name("_ZZZ"), "_ZZZ");
}

TEST(ShortName, keeps_operators_whole) {
    EXPECT_EQ(short_name("_ZN1AclEi"), "A::operator()");
    EXPECT_EQ(short_name("_ZN1AltERKS_"), "A::operator<");
    EXPECT_EQ(short_name("_ZNK1AptEv"), "A::operator->");
    EXPECT_EQ(short_name("_ZN1AcvbEv"), "A::operator bool");
    EXPECT_EQ(short_name("_Znwm"), "operator new");
}

TEST(ShortName, of_a_wrapper_is_that_of_what_it_wraps) {
    EXPECT_EQ(short_name("_Z2onITnDaXadL_Z6smoothiEEEvv"), "smooth");
    EXPECT_EQ(
        short_name("_ZN9composite5EventIJRN3ctp7SegmentEEE4callITnDaXadL_ZNS1_15TransportDriver13seg_from_userES3_EE"
                   "S6_EEvPvP13thalweg_eventPK13thalweg_valuem"),
        "ctp::TransportDriver::seg_from_user");
    // Its own class's arguments wrap nothing: only the last brackets are looked into.
    EXPECT_EQ(short_name("_ZN3BusIiE4sendEi"), "Bus<int>::send");
}

TEST(ShortName, of_a_wrapper_of_a_lambda_is_the_lambdas) {
    EXPECT_EQ(short_name("_ZN7thalweg6detail5thunkIvJidEZN7StationC1EvE3$_0EEvPvDpT0_"), "Station::Station()::$_0");
}

TEST(ShortName, of_what_an_enemy_wrote_ends) {
    EXPECT_EQ(short_name("_Z" + std::string(100000, 'I')), "_Z" + std::string(100000, 'I'));
    std::string nested = "_Z1fI";
    for (int i = 0; i < 60; ++i)
        nested += "1AI";
    EXPECT_FALSE(short_name(nested + "i" + std::string(61, 'E') + "vv").empty());
}

TEST(Sentence, has_its_linker_names_made_short_and_nothing_else_changed) {
    EXPECT_EQ(with_short_names("4 targets merged in _ZN3Net4sendEv."), "4 targets merged in Net::send.");
    EXPECT_EQ(with_short_names("(_Z3maxIiET_S0_S0_, main)"), "(max<int>, main)");
    EXPECT_EQ(with_short_names("no name at all ... "), "no name at all ... ");
    EXPECT_EQ(with_short_names(""), "");
}

}  // namespace
}  // namespace thalweg::report
