// live PROGRAM [ARGS]: runs the program until it says READY, prints "PID n" and from then on what it prints. To each line of
// its own input it answers "COUNTS threads highest", the highest suspend count of a thread of the program among them. At the
// end of its input it ends the program.
#include "sample.h"

#include <stdio.h>
#include <tlhelp32.h>

#define READY_BOUND_MS 60000
#define COMMAND_LINE_CHARS 32768

static DWORD WINAPI forward(void *context) {
    char bytes[4096];
    DWORD got, written;
    while (ReadFile(context, bytes, sizeof bytes, &got, NULL) && got)
        WriteFile(GetStdHandle(STD_OUTPUT_HANDLE), bytes, got, &written, NULL);
    return 0;
}

static void print_counts(DWORD process) {
    HANDLE snapshot = CreateToolhelp32Snapshot(TH32CS_SNAPTHREAD, 0);
    THREADENTRY32 entry = {.dwSize = sizeof entry};
    DWORD threads = 0, highest = 0;
    for (BOOL more = Thread32First(snapshot, &entry); more; more = Thread32Next(snapshot, &entry)) {
        HANDLE thread = entry.th32OwnerProcessID == process ? OpenThread(THREAD_SUSPEND_RESUME, FALSE, entry.th32ThreadID) : NULL;
        if (!thread) continue;
        DWORD before = SuspendThread(thread);
        if (before != (DWORD)-1) {
            ResumeThread(thread);
            threads++;
            if (before > highest) highest = before;
        }
        CloseHandle(thread);
    }
    CloseHandle(snapshot);
    printf("COUNTS %lu %lu\n", threads, highest);
    fflush(stdout);
}

int main(void) {
    static wchar_t command_line[COMMAND_LINE_CHARS];
    int count;
    wchar_t **arguments = CommandLineToArgvW(GetCommandLineW(), &count);
    if (count < 2) {
        fprintf(stderr, "usage: live PROGRAM [ARGS]\n");
        return 64;
    }
    for (int i = 1; i < count; i++) sample_append_argument(command_line, COMMAND_LINE_CHARS, arguments[i]);

    Sample sample;
    if (!sample_start(command_line, READY_BOUND_MS, &sample)) return 1;
    printf("PID %lu\n", sample.process.dwProcessId);
    fflush(stdout);
    CreateThread(NULL, 0, forward, sample.output, 0, NULL);
    char line[64];
    while (fgets(line, sizeof line, stdin)) print_counts(sample.process.dwProcessId);
    sample_end(&sample);
    return 0;
}
