// From the debugger's C call to the managed extension.
#pragma once
#include "request.h"

#include <dbgeng.h>

// Runs the managed extension on the request. Returns its HRESULT, or says in the message why it could not be run; the
// message can also hold a note for a run that succeeded.
HRESULT runtime_call(IDebugClient *client, const Request *request, Message *message);

// Finds the newest hostfxr.dll of .NET 8 or later. If there is none, the message says where it was looked for.
BOOL find_hostfxr(wchar_t path[path_chars], Message *message);
