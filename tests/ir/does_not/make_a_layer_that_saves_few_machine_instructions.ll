; tests: what a layer saves is counted in the code that LLVM makes of it. Two branches that one fact decides are fewer instructions, and too few of
; them where an entry executes some fifty.
; RUN: %optimize %s | %check %s
; PLAN: 1 specialize transfer growth=500 : argument transfer/0 = 1
; CHECK: decision 1 refused: an entry would execute {{[0-9.]+}} machine instructions, {{[0-9.]+}} as it is: {{[0-9.]+}} or more must be saved
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

define i64 @transfer(i64 %mode, i64 %v0) !prof !0 {
  %m0 = mul i64 %v0, 6364136223846793005
  %s0 = lshr i64 %m0, 7
  %v1 = xor i64 %m0, %s0
  %m1 = mul i64 %v1, 6364136223846793007
  %s1 = lshr i64 %m1, 8
  %v2 = xor i64 %m1, %s1
  %m2 = mul i64 %v2, 6364136223846793009
  %s2 = lshr i64 %m2, 9
  %v3 = xor i64 %m2, %s2
  %m3 = mul i64 %v3, 6364136223846793011
  %s3 = lshr i64 %m3, 10
  %v4 = xor i64 %m3, %s3
  %m4 = mul i64 %v4, 6364136223846793013
  %s4 = lshr i64 %m4, 11
  %v5 = xor i64 %m4, %s4
  %m5 = mul i64 %v5, 6364136223846793015
  %s5 = lshr i64 %m5, 7
  %v6 = xor i64 %m5, %s5
  %m6 = mul i64 %v6, 6364136223846793017
  %s6 = lshr i64 %m6, 8
  %v7 = xor i64 %m6, %s6
  %m7 = mul i64 %v7, 6364136223846793019
  %s7 = lshr i64 %m7, 9
  %v8 = xor i64 %m7, %s7
  %m8 = mul i64 %v8, 6364136223846793021
  %s8 = lshr i64 %m8, 10
  %v9 = xor i64 %m8, %s8
  %m9 = mul i64 %v9, 6364136223846793023
  %s9 = lshr i64 %m9, 11
  %v10 = xor i64 %m9, %s9
  %m10 = mul i64 %v10, 6364136223846793025
  %s10 = lshr i64 %m10, 7
  %v11 = xor i64 %m10, %s10
  %m11 = mul i64 %v11, 6364136223846793027
  %s11 = lshr i64 %m11, 8
  %v12 = xor i64 %m11, %s11
  %m12 = mul i64 %v12, 6364136223846793029
  %s12 = lshr i64 %m12, 9
  %v13 = xor i64 %m12, %s12
  %m13 = mul i64 %v13, 6364136223846793031
  %s13 = lshr i64 %m13, 10
  %v14 = xor i64 %m13, %s13
  %m14 = mul i64 %v14, 6364136223846793033
  %s14 = lshr i64 %m14, 11
  %v15 = xor i64 %m14, %s14
  %m15 = mul i64 %v15, 6364136223846793035
  %s15 = lshr i64 %m15, 7
  %v16 = xor i64 %m15, %s15
  %encodes = icmp eq i64 %mode, 1
  br i1 %encodes, label %up, label %next, !prof !1

up:
  %more = add i64 %v16, 10
  br label %next

next:
  %value = phi i64 [ %v16, %0 ], [ %more, %up ]
  %decodes = icmp eq i64 %mode, 2
  br i1 %decodes, label %down, label %end, !prof !2

down:
  %less = sdiv i64 %value, 10
  br label %end

end:
  %result = phi i64 [ %value, %next ], [ %less, %down ]
  ret i64 %result
}

!0 = !{!"function_entry_count", i64 1000}
!1 = !{!"branch_weights", i32 1000, i32 0}
!2 = !{!"branch_weights", i32 0, i32 1000}
