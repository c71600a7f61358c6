// SOS, the debugger's own extension for .NET, hosts .NET in the debugger as well. Whoever starts it first has it.
#pragma once
#include "request.h"

#include <dbgeng.h>

// Where SOS is in the debugger, or the target runs .NET and SOS can be had, makes it start its .NET.
void sos_start_runtime(IDebugClient *client);

// Whether SOS is in the debugger and finds no place for its .NET beside the one that was started before it.
BOOL sos_is_shut_out(void);
