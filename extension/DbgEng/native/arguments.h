// What stands behind !triage.
#pragma once
#include "message.h"
#include "request.h"

typedef struct {
    BOOL help;
    BOOL out_of_process;
    BOOL is_verbose;
    BOOL is_deep;
    BOOL is_hung;
    wchar_t *json;  // into text
    wchar_t *markdown;
    wchar_t *trace;
    wchar_t text[path_chars];
} Arguments;

// Words are parted by blanks; quotes keep blanks in a word. Says in the message what cannot be carried out.
BOOL arguments_parse(const char *text, Arguments *arguments, Message *message);

extern const char usage[];
