// This DLL's own place.
#pragma once
#include "request.h"

// The path of a file in the folder of this DLL.
BOOL beside_this_module(const wchar_t *name, wchar_t path[path_chars]);

// Keeps this DLL loaded for as long as the debugger runs.
void pin_this_module(void);
