// What the user asked for.
#pragma once
#include <stdint.h>
#include <windows.h>

enum { path_chars = 4096, message_chars = 8192 };

// The managed half reads this very record (TriageRequest.cs): keep the two alike.
typedef struct {
    void *client;             // the IDebugClient of the command
    uint64_t session;         // another value once what the session shows may have changed
    const wchar_t *dump;      // the dump file that the session is on; NULL for none
    const wchar_t *json;      // the file that gets the JSON report; NULL for none
    const wchar_t *markdown;  // the file that gets the incident report; NULL for none
    uint32_t is_verbose;
    uint32_t is_deep;
} Request;

// One or more lines for the user. Empty unless something is to be said.
typedef struct {
    wchar_t text[message_chars];
} Message;

// Appends to the message; what does not fit is cut.
void message_add(Message *message, const wchar_t *format, ...);
