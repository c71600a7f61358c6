// What the user asked for.
#pragma once
#include <stdint.h>
#include <windows.h>

enum { path_chars = 4096 };

// The managed half reads this very record (TriageRequest.cs): keep the two alike.
typedef struct {
    void *client;             // the IDebugClient of the command
    uint64_t session;         // another value once what the session shows may have changed
    const wchar_t *dump;      // the dump file that the session is on; NULL for none
    const wchar_t *json;      // the file that gets the JSON report; NULL for none
    const wchar_t *markdown;  // the file that gets the incident report; NULL for none
    const wchar_t *trace;     // a trace of the same time; NULL for none
    uint32_t is_verbose;
    uint32_t is_deep;
    uint32_t is_hung;
} Request;
