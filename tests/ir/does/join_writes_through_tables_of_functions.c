// tests: three writes of one function, called through tables, come together where they are called; the third of them follows by itself.
// RUN: %optimize %s | %check %s
// PLAN: 1 coalesce write_file/0 write_file/0
// CHECK-LABEL: define {{.*}} @put_page(
// CHECK: icmp eq ptr %{{.*}}, @write_file
// CHECK: icmp eq ptr %{{.*}}, @pwrite
// CHECK: call i1 @thalweg_crossing_gather(i32 %{{.*}}, ptr %{{.*}}, i32 3, i64 %offset,
// CHECK: decision 1 applied: 3 calls of pwrite become one in put_page where the file is an ordinary one{{$}}
#include "file_methods.h"
const struct methods *the_methods(int which) { return &all_methods[which]; }
int get_two(struct file *file, char *bytes) {
    return file->methods->read(file, bytes, 4, 0) || file->methods->read(file, bytes, 4, 4);
}
