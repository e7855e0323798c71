// benchmarks: what each handler's translation unit includes, whatever the handler is.
#pragma once

#include "bodies.h"
#include "digest.h"
#include "events.h"
