// tests: behind each system call the twin tells its site, what it gives, descriptor, buffer, size, offset and result, and just before it, where
// it is being timed, that it is entered; before memory is given back it asks, where the block's page was seen, and of memory it tells only what is large.
// RUN: %probe %s | %check %s
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

// Flags in the upper half: 17 gives bytes, has a size; 49 writes besides; 2 gives a descriptor; 8 an error number; 20 an address.
// CHECK-LABEL: define {{.*}}@copy(
// CHECK: [[TIMED:%[^ ,]+]] = {{.*}}call {{.*}}ptr @llvm.threadlocal.address.p0(ptr {{.*}}@thalweg_probe_call_timed)
// CHECK: load i8, ptr [[TIMED]]
// CHECK: br i1 {{.*}}!prof
// CHECK: call void @thalweg_probe_before_call(i64 8589934592)
// CHECK: [[IN:%[^ ,]+]] = tail call i32 (ptr, i32, ...) @open
// CHECK-NEXT: [[GIVEN:%[^ ,]+]] = sext i32 [[IN]] to i64
// CHECK-NEXT: call void @thalweg_probe_system_call(i64 8589934592, i64 -1, ptr null, i64 0, i64 -1, i64 [[GIVEN]])
// CHECK: [[STATUS:%[^ ,]+]] = tail call i32 @posix_fadvise(
// CHECK-NEXT: [[ADVISED:%[^ ,]+]] = sext i32 [[STATUS]] to i64
// CHECK: call void @thalweg_probe_system_call(i64 34359738369, i64 {{%.*}}, ptr null, i64 0, i64 -1, i64 [[ADVISED]])
// CHECK: [[COUNT:%[^ ,]+]] = tail call i64 @read(i32 noundef [[IN]], ptr noundef [[BUFFER:%[^ ,]+]], i64 noundef 4096)
// CHECK-NEXT: call void @thalweg_probe_system_call(i64 73014444034, i64 {{%.*}}, ptr [[BUFFER]], i64 4096, i64 -1, i64 [[COUNT]])
// CHECK: [[WRITTEN:%[^ ,]+]] = tail call i64 @pwrite(
// CHECK-NEXT: call void @thalweg_probe_system_call(i64 210453397507, i64 {{%.*}}, ptr [[BUFFER]], i64 [[COUNT]], i64 10, i64 [[WRITTEN]])
long copy(const char *name, int out, char *buffer) {
    int in = open(name, O_RDONLY);
    posix_fadvise(in, 0, 0, POSIX_FADV_SEQUENTIAL);
    long count = read(in, buffer, 4096);
    return pwrite(out, buffer, count, 10);
}

// CHECK-LABEL: define {{.*}}@grow(
// CHECK: getelementptr i8, ptr @thalweg_probe_blocks, i64
// CHECK: br i1 {{.*}}!prof
// CHECK: call void @thalweg_probe_release(i64 4, ptr [[OLD:%[^ ,]+]])
// CHECK: icmp uge i64 [[SIZE:%[^ ,]+]], 131072
// CHECK: call void @thalweg_probe_before_call(i64 85899345924)
// CHECK: [[NEW:%[^ ,]+]] = {{.*}}call ptr @realloc(ptr noundef [[OLD]], i64 noundef [[SIZE]])
// CHECK: icmp uge i64 [[SIZE]], 131072
// CHECK: br i1 {{.*}}!prof
// CHECK: [[ADDRESS:%[^ ,]+]] = ptrtoint ptr [[NEW]] to i64
// CHECK-NEXT: call void @thalweg_probe_system_call(i64 85899345924, i64 -1, ptr [[OLD]], i64 [[SIZE]], i64 -1, i64 [[ADDRESS]])
void *grow(void *block, size_t size) { return realloc(block, size); }

// CHECK-LABEL: define {{.*}}@aligned(
// CHECK: {{.*}}call i32 @posix_memalign(ptr noundef [[WHERE:%[^ ,]+]], i64
// CHECK: [[PLACE:%[^ ,]+]] = load i64, ptr [[WHERE]]
// CHECK: [[RESULT:%[^ ,]+]] = select i1 {{%.*}}, i64 [[PLACE]], i64 0
// CHECK: call void @thalweg_probe_system_call(i64 85899345925, i64 -1, ptr null, i64 {{%.*}}, i64 -1, i64 [[RESULT]])
int aligned(void **where, size_t size) { return posix_memalign(where, 64, size); }

// CHECK-LABEL: define {{.*}}@give_back(
// CHECK: call void @thalweg_probe_release(i64 274877906950, ptr [[BLOCK:%[^ ,]+]])
// CHECK: call void @free(ptr noundef [[BLOCK]])
void give_back(void *block) { free(block); }
