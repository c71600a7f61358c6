// From the debugger's C call to the managed extension.
#pragma once
#include "message.h"
#include "request.h"

#include <dbgeng.h>

// Runs the managed extension on the request. Returns its HRESULT, or says in the message why it could not be run; the
// message can also hold a note for a run that succeeded.
HRESULT runtime_call(IDebugClient *client, const Request *request, Message *message);
