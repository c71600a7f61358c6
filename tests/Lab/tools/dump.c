// dump FLAGS OUT PROGRAM [ARGS]: runs the program until it says READY, dumps it while it is suspended, ends it.
// dbgcore does not suspend the target here, and a dump of running threads does not fit together (or fails).
#include "sample.h"

#include <stdio.h>
#include <stdlib.h>
#include <dbghelp.h>

#define READY_BOUND_MS 60000
#define COMMAND_LINE_CHARS 32768

typedef LONG(NTAPI *ProcessAction)(HANDLE);
typedef BOOL(WINAPI *WriteDump)(HANDLE, DWORD, HANDLE, MINIDUMP_TYPE, void *, void *, void *);

static BOOL dump(const Sample *sample, MINIDUMP_TYPE flags, const wchar_t *out) {
    HMODULE ntdll = GetModuleHandleW(L"ntdll.dll");
    ProcessAction suspend = (ProcessAction)(void *)GetProcAddress(ntdll, "NtSuspendProcess");
    ProcessAction resume = (ProcessAction)(void *)GetProcAddress(ntdll, "NtResumeProcess");
    HMODULE dbgcore = LoadLibraryW(L"dbgcore.dll");
    WriteDump write = dbgcore ? (WriteDump)(void *)GetProcAddress(dbgcore, "MiniDumpWriteDump") : NULL;
    if (!write) {
        fprintf(stderr, "lab: no MiniDumpWriteDump in dbgcore.dll: error %lu\n", GetLastError());
        return FALSE;
    }
    HANDLE file = CreateFileW(out, GENERIC_READ | GENERIC_WRITE, 0, NULL, CREATE_ALWAYS, FILE_ATTRIBUTE_NORMAL, NULL);
    if (file == INVALID_HANDLE_VALUE) {
        fprintf(stderr, "lab: cannot create %ls: error %lu\n", out, GetLastError());
        return FALSE;
    }
    LONG suspended = suspend(sample->process.hProcess);
    BOOL written = suspended >= 0 && write(sample->process.hProcess, sample->process.dwProcessId, file, flags, NULL, NULL, NULL);
    if (suspended < 0)
        fprintf(stderr, "lab: NtSuspendProcess: 0x%08lx\n", (DWORD)suspended);
    else if (!written)
        fprintf(stderr, "lab: MiniDumpWriteDump: 0x%08lx\n", GetLastError());
    resume(sample->process.hProcess);
    CloseHandle(file);
    if (!written) DeleteFileW(out);
    return written;
}

int main(void) {
    static wchar_t command_line[COMMAND_LINE_CHARS];
    int count;
    wchar_t **arguments = CommandLineToArgvW(GetCommandLineW(), &count);
    if (count < 4) {
        fprintf(stderr, "usage: dump FLAGS OUT PROGRAM [ARGS]\n");
        return 64;
    }
    for (int i = 3; i < count; i++) sample_append_argument(command_line, COMMAND_LINE_CHARS, arguments[i]);

    Sample sample;
    if (!sample_start(command_line, READY_BOUND_MS, &sample)) return 1;
    BOOL written = dump(&sample, (MINIDUMP_TYPE)wcstoul(arguments[1], NULL, 0), arguments[2]);
    sample_end(&sample);
    return written ? 0 : 1;
}
