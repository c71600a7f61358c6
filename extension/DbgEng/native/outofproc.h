// !triage -outofproc: the command-line tool judges the dump file, and no .NET is started in the debugger.
#pragma once
#include "arguments.h"

#include <dbgeng.h>

// Prints what the tool prints. dump: the session's file; NULL for none. Returns an HRESULT; what failed before the tool
// ran is in the message.
HRESULT outofproc_run(IDebugClient *client, const wchar_t *dump, const Arguments *arguments, Message *message);
