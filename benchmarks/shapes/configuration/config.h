#pragma once
int config_read(const char *path);
long config_get(const char *name, long otherwise);
