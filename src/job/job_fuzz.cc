// job: any bytes as a job: an error, or a valid value that is written and read back the same.
#include <cstdlib>

#include "job/job.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    using namespace thalweg::job;
    const auto job = read_job(std::string(reinterpret_cast<const char *>(data), size));
    if (!job)
        return 0;
    const auto again = read_job(write_job(*job));
    if (!validate(*job) || !again || !(*again == *job))
        std::abort();
    return 0;
}
