// Where .NET is installed.
#pragma once
#include "message.h"
#include "request.h"

// Finds the newest hostfxr.dll of .NET 8 or later. If there is none, the message says where it was looked for.
BOOL find_hostfxr(wchar_t path[path_chars], Message *message);
