#include "outofproc.h"

#include "module.h"

#include <wchar.h>

#define TOOL L"triage.exe"

// Its exit codes: 0, 1 and 2 are verdicts.
enum { last_verdict = 2, poll_ms = 50, chunk_bytes = 4096, command_chars = 32768 };

static BOOL is_file(const wchar_t *path) {
    DWORD attributes = GetFileAttributesW(path);
    return attributes != INVALID_FILE_ATTRIBUTES && !(attributes & FILE_ATTRIBUTE_DIRECTORY);
}

// The current folder, where the dump may lie, is not searched.
static BOOL find_tool(wchar_t path[path_chars]) {
    static wchar_t folders[32768];
    if (beside_this_module(L"cli\\" TOOL, path) && is_file(path)) return TRUE;
    if (beside_this_module(TOOL, path) && is_file(path)) return TRUE;
    DWORD length = GetEnvironmentVariableW(L"PATH", folders, sizeof folders / sizeof *folders);
    if (!length || length >= sizeof folders / sizeof *folders) return FALSE;
    length = SearchPathW(folders, TOOL, NULL, path_chars, path, NULL);
    return length > 0 && length < path_chars;
}

static void copy_output(IDebugControl *control, HANDLE pipe, DWORD available) {
    char chunk[chunk_bytes + 1];
    DWORD bytes;
    while (available && ReadFile(pipe, chunk, available < chunk_bytes ? available : chunk_bytes, &bytes, NULL) && bytes) {
        chunk[bytes] = 0;
        control->lpVtbl->Output(control, DEBUG_OUTPUT_NORMAL, "%s", chunk);
        available -= bytes;
    }
}

// Until the tool has ended and all is printed that it wrote.
static HRESULT follow(IDebugControl *control, HANDLE process, HANDLE pipe, DWORD *exit_code) {
    for (;;) {
        BOOL ended = WaitForSingleObject(process, poll_ms) == WAIT_OBJECT_0;
        DWORD available = 0;
        if (PeekNamedPipe(pipe, NULL, 0, NULL, &available, NULL)) copy_output(control, pipe, available);
        if (ended) return GetExitCodeProcess(process, exit_code) ? S_OK : HRESULT_FROM_WIN32(GetLastError());
        if (control->lpVtbl->GetInterrupt(control) == S_OK) {
            TerminateProcess(process, ERROR_CANCELLED);
            return E_ABORT;
        }
    }
}

static HRESULT run(IDebugControl *control, wchar_t *command, Message *message) {
    SECURITY_ATTRIBUTES inherited = {sizeof inherited, NULL, TRUE};
    STARTUPINFOW start = {.cb = sizeof start, .dwFlags = STARTF_USESTDHANDLES};
    PROCESS_INFORMATION process;
    HANDLE read, write;
    DWORD exit_code = 0;
    if (!CreatePipe(&read, &write, &inherited, 0)) return HRESULT_FROM_WIN32(GetLastError());
    SetHandleInformation(read, HANDLE_FLAG_INHERIT, 0);
    start.hStdOutput = start.hStdError = write;
    HRESULT result = CreateProcessW(NULL, command, NULL, NULL, TRUE, CREATE_NO_WINDOW, NULL, NULL, &start, &process)
                         ? S_OK
                         : HRESULT_FROM_WIN32(GetLastError());
    CloseHandle(write);
    if (SUCCEEDED(result)) {
        result = follow(control, process.hProcess, read, &exit_code);
        CloseHandle(process.hThread);
        CloseHandle(process.hProcess);
    } else {
        message_add(message, L"%ls could not be started: 0x%08x", command, (unsigned)result);
    }
    CloseHandle(read);
    if (result == E_ABORT) message_add(message, L"stopped before the tool had ended; nothing was judged");
    return SUCCEEDED(result) && exit_code > last_verdict ? E_FAIL : result;
}

typedef struct {
    const wchar_t *tool, *dump, *trace;
    BOOL is_deep, is_hung;
} Analysis;

// One run of the tool: prints the report, or writes it to a file in a format.
static HRESULT analyze(IDebugControl *control, const Analysis *analysis, const wchar_t *format, const wchar_t *file, Message *message) {
    static wchar_t command[command_chars];
    int length = _snwprintf(command, command_chars - 1, L"\"%ls\" analyze \"%ls\" --quiet%ls%ls", analysis->tool, analysis->dump,
                            analysis->is_deep ? L" --deep" : L"", analysis->is_hung ? L" --hung" : L"");
    if (analysis->trace) length += _snwprintf(command + length, command_chars - 1 - length, L" --trace \"%ls\"", analysis->trace);
    if (file) _snwprintf(command + length, command_chars - 1 - length, L" --format %ls --output \"%ls\"", format, file);
    HRESULT result = run(control, command, message);
    if (SUCCEEDED(result) && file) control->lpVtbl->Output(control, DEBUG_OUTPUT_NORMAL, "triage: %ws is written\n", file);
    return result;
}

HRESULT outofproc_run(IDebugClient *client, const wchar_t *dump, const Arguments *arguments, Message *message) {
    wchar_t tool[path_chars];
    IDebugControl *control;
    if (!dump) {
        message_add(message, L"-outofproc needs a session on a dump file; for a live process, write one with .dump /ma FILE and open it");
        return HRESULT_FROM_WIN32(ERROR_NOT_READY);
    }
    if (!find_tool(tool)) {
        message_add(message, L"-outofproc needs " TOOL L"; it is neither in cli\\ or beside this extension nor on PATH");
        return HRESULT_FROM_WIN32(ERROR_FILE_NOT_FOUND);
    }
    if (FAILED(client->lpVtbl->QueryInterface(client, &IID_IDebugControl, (void **)&control))) return E_NOINTERFACE;
    Analysis analysis = {tool, dump, arguments->trace, arguments->is_deep, arguments->is_hung};
    HRESULT result = analyze(control, &analysis, NULL, NULL, message);
    if (SUCCEEDED(result) && arguments->json) result = analyze(control, &analysis, L"json", arguments->json, message);
    if (SUCCEEDED(result) && arguments->markdown) result = analyze(control, &analysis, L"markdown", arguments->markdown, message);
    control->lpVtbl->Release(control);
    return result;
}
