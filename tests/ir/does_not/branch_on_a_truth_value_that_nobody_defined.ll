; tests: to make a number of a truth value that nobody wrote is well defined, to branch on it is not: the two ways are chosen by what it is
; frozen to.
; RUN: %optimize %s | %check %s
; PLAN: 1 specialize chosen : argument chosen/0:4 = 7

declare void @act()

; CHECK-LABEL: define i32 @chosen(
; CHECK: [[TRUTH:%.*]] = freeze i1 %truth
; CHECK: br i1 [[TRUTH]]
; CHECK-LABEL: define i32 @picked(
; CHECK: [[TRUTH:%.*]] = freeze i1 %truth
; CHECK: br i1 [[TRUTH]]
define i32 @chosen(i32 %kind, i1 %truth, i1 %steers) {
  %number = zext i1 %truth to i32
  %seven = icmp eq i32 %kind, 7
  br i1 %seven, label %asked, label %done
asked:
  br i1 %steers, label %choose, label %done
choose:
  switch i32 %number, label %done [ i32 0, label %act
                                    i32 1, label %done ]
act:
  call void @act()
  br label %done
done:
  ret i32 1
}

; PLAN: 2 specialize picked : argument picked/0:4 = 7
define i32 @picked(i32 %kind, i1 %truth, i1 %steers) {
  %number = select i1 %truth, i32 3, i32 4
  %seven = icmp eq i32 %kind, 7
  br i1 %seven, label %asked, label %done
asked:
  br i1 %steers, label %choose, label %done
choose:
  switch i32 %number, label %done [ i32 3, label %act
                                    i32 4, label %done ]
act:
  call void @act()
  br label %done
done:
  ret i32 1
}
