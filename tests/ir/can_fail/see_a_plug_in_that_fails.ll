; tests: a module that the plug-in cannot read makes the run fail, and is not taken for a refusal.
; RUN: not %optimize %s
; PLAN: 1 merge raise_all/0 = first
define void @raise_all( {
