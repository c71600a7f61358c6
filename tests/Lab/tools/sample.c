#include "sample.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

typedef struct {
    HANDLE pipe;
    BOOL ready;
} ReadyReader;

static BOOL is_ready(const char *line) {
    return strcmp(line, "READY") == 0 || strncmp(line, "READY ", 6) == 0;
}

// Reads lines until "READY" or the end. Lines longer than the buffer are cut.
static DWORD WINAPI read_until_ready(void *context) {
    ReadyReader *reader = context;
    char line[64];
    size_t length = 0;
    char c;
    DWORD got;
    while (ReadFile(reader->pipe, &c, 1, &got, NULL) && got == 1) {
        if (c == '\r') continue;
        if (c != '\n') {
            if (length < sizeof line - 1) line[length++] = c;
            continue;
        }
        line[length] = 0;
        length = 0;
        if (is_ready(line)) {
            reader->ready = TRUE;
            return 0;
        }
    }
    return 0;
}

static HANDLE job_that_ends_with_us(void) {
    HANDLE job = CreateJobObjectW(NULL, NULL);
    JOBOBJECT_EXTENDED_LIMIT_INFORMATION limits = {0};
    limits.BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE;
    if (job) SetInformationJobObject(job, JobObjectExtendedLimitInformation, &limits, sizeof limits);
    return job;
}

BOOL sample_start(wchar_t *command_line, DWORD bound_ms, Sample *sample) {
    SECURITY_ATTRIBUTES inherited = {sizeof inherited, NULL, TRUE};
    STARTUPINFOW startup = {.cb = sizeof startup, .dwFlags = STARTF_USESTDHANDLES};
    HANDLE read, write, nothing_to_read, open;
    if (!CreatePipe(&read, &write, &inherited, 0) || !CreatePipe(&nothing_to_read, &open, &inherited, 0)) return FALSE;
    SetHandleInformation(read, HANDLE_FLAG_INHERIT, 0);
    SetHandleInformation(open, HANDLE_FLAG_INHERIT, 0);
    // Its input stays open and empty, so that a program that reads it waits.
    startup.hStdInput = nothing_to_read;
    startup.hStdOutput = write;
    startup.hStdError = GetStdHandle(STD_ERROR_HANDLE);

    BOOL started = CreateProcessW(NULL, command_line, NULL, NULL, TRUE, CREATE_SUSPENDED, NULL, NULL, &startup, &sample->process);
    DWORD error = GetLastError();
    CloseHandle(write);
    CloseHandle(nothing_to_read);
    if (!started) {
        fprintf(stderr, "lab: cannot start %ls: error %lu\n", command_line, error);
        return FALSE;
    }
    sample->job = job_that_ends_with_us();
    AssignProcessToJobObject(sample->job, sample->process.hProcess);
    ResumeThread(sample->process.hThread);

    sample->output = read;
    ReadyReader reader = {read, FALSE};
    HANDLE thread = CreateThread(NULL, 0, read_until_ready, &reader, 0, NULL);
    DWORD outcome = WaitForSingleObject(thread, bound_ms);
    if (outcome == WAIT_OBJECT_0 && reader.ready) return TRUE;
    fprintf(stderr, outcome == WAIT_OBJECT_0 ? "lab: %ls ended without READY\n" : "lab: no READY in time from %ls\n", command_line);
    sample_end(sample);
    return FALSE;
}

void sample_end(Sample *sample) {
    TerminateProcess(sample->process.hProcess, 1);
    WaitForSingleObject(sample->process.hProcess, INFINITE);
    CloseHandle(sample->job);
}

void sample_append_argument(wchar_t *command_line, size_t capacity, const wchar_t *argument) {
    size_t at = wcslen(command_line), backslashes = 0;
    if (capacity < at + 2 * wcslen(argument) + 4) {
        fprintf(stderr, "lab: the command line is too long\n");
        exit(64);
    }
    if (at) command_line[at++] = L' ';
    command_line[at++] = L'"';
    for (; *argument; argument++) {
        if (*argument == L'"')
            for (backslashes++; backslashes; backslashes--) command_line[at++] = L'\\';
        backslashes = *argument == L'\\' ? backslashes + 1 : 0;
        command_line[at++] = *argument;
    }
    while (backslashes--) command_line[at++] = L'\\';
    command_line[at++] = L'"';
    command_line[at] = 0;
}
