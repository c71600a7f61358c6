// What the user is told.
#pragma once
#include <windows.h>

enum { message_chars = 8192 };

// One or more lines for the user. Empty unless something is to be said.
typedef struct {
    wchar_t text[message_chars];
} Message;

// Appends to the message; what does not fit is cut.
void message_add(Message *message, const wchar_t *format, ...);
