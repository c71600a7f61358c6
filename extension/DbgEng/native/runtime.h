// From the debugger's C call to the managed extension.
#pragma once
#include <windows.h>

enum { path_chars = 4096, message_chars = 8192 };

// What went wrong, in one or more lines for the user. Empty unless a call failed.
typedef struct {
    wchar_t text[message_chars];
} Message;

// Appends to the message; what does not fit is cut.
void message_add(Message *message, const wchar_t *format, ...);

// Runs the managed extension on the debugger's client and the UTF-8 arguments. Returns its HRESULT, or says in the
// message why it could not be run.
HRESULT runtime_call(void *client, const char *arguments, Message *message);

// Finds the newest hostfxr.dll of .NET 8 or later. If there is none, the message says where it was looked for.
BOOL find_hostfxr(wchar_t path[path_chars], Message *message);
