#include "arguments.h"

#include <wchar.h>

const char usage[] =
    "!triage [-v] [-json FILE] [-md FILE] [-trace FILE] [-hung] [-deep] [-outofproc] [-help]\n"
    "  Names the culprit of a hang: who waits for whom, and what the last one does.\n"
    "  Judges the process of this session: a dump, or a process that is broken into.\n"
    "  Ctrl+Break stops it; what was read until then is judged.\n"
    "\n"
    "  -v          every thread, stack and list whole\n"
    "  -json FILE  writes the report for scripts as well\n"
    "  -md FILE    writes the incident report as well\n"
    "  -trace FILE reads a trace of the same time (.etl): it says who ran and who waited when\n"
    "  -hung       you know that it hangs: it is not called healthy, and where nothing is proven the best suspect is the verdict\n"
    "  -deep       checks every hash table of the .NET heap, which takes longer\n"
    "  -outofproc  runs triage.exe on the dump file instead of starting .NET in the debugger:\n"
    "              SOS keeps its commands. It is looked for in cli\\ and beside this extension, then on PATH\n"
    "  -help       this text\n"
    "  A name with blanks stands in quotes.\n"
    "\n"
    "  0:000> !triage\n"
    "  0:000> !triage -v -md \"C:\\incident 12\\report.md\"\n";

static BOOL is_blank(wchar_t c) {
    return c == L' ' || c == L'\t';
}

// Cuts the next word out of the text, in place; NULL at its end, and where a quote is not closed.
static wchar_t *next_word(wchar_t **text, Message *message) {
    wchar_t *from = *text, *word, *to;
    BOOL quoted = FALSE;
    while (is_blank(*from)) from++;
    if (!*from) return NULL;
    for (word = to = from; *from && (quoted || !is_blank(*from)); from++) {
        if (*from == L'"')
            quoted = !quoted;
        else
            *to++ = *from;
    }
    *text = *from ? from + 1 : from;
    *to = 0;
    if (!quoted) return word;
    message_add(message, L"a quote is not closed; try !triage -help");
    return NULL;
}

static BOOL is_option(const wchar_t *word, const wchar_t *name) {
    return word[0] == L'-' && (wcscmp(word + 1, name) == 0 || (word[1] == L'-' && wcscmp(word + 2, name) == 0));
}

static BOOL take_file(wchar_t **text, const wchar_t *option, wchar_t **file, Message *message) {
    if (*file) {
        message_add(message, L"%ls is given twice", option);
        return FALSE;
    }
    *file = next_word(text, message);
    if (*file && **file && **file != L'-') return TRUE;
    if (!message->text[0]) message_add(message, L"%ls needs the name of a file; try !triage -help", option);
    return FALSE;
}

BOOL arguments_parse(const char *given, Arguments *arguments, Message *message) {
    wchar_t *rest = arguments->text, *word;
    // The debugger passes arguments in the system's code page.
    if (!MultiByteToWideChar(CP_ACP, 0, given, -1, rest, path_chars)) {
        message_add(message, L"the arguments are too long");
        return FALSE;
    }
    while ((word = next_word(&rest, message)) != NULL) {
        if (is_option(word, L"help") || is_option(word, L"?") || wcscmp(word, L"/?") == 0) {
            arguments->help = TRUE;
        } else if (is_option(word, L"v")) {
            arguments->is_verbose = TRUE;
        } else if (is_option(word, L"hung")) {
            arguments->is_hung = TRUE;
        } else if (is_option(word, L"deep")) {
            arguments->is_deep = TRUE;
        } else if (is_option(word, L"outofproc")) {
            arguments->out_of_process = TRUE;
        } else if (is_option(word, L"trace")) {
            if (!take_file(&rest, L"-trace", &arguments->trace, message)) return FALSE;
        } else if (is_option(word, L"json")) {
            if (!take_file(&rest, L"-json", &arguments->json, message)) return FALSE;
        } else if (is_option(word, L"md")) {
            if (!take_file(&rest, L"-md", &arguments->markdown, message)) return FALSE;
        } else {
            message_add(message, L"unknown argument %ls; try !triage -help", word);
            return FALSE;
        }
    }
    if (message->text[0]) return FALSE;
    if (arguments->out_of_process && arguments->is_verbose) {
        message_add(message, L"-v and -outofproc do not go together; -md has every stack");
        return FALSE;
    }
    return TRUE;
}
