// engine [--dml] DUMP CMD...  or  engine [--dml] --attach|--debug PROGRAM|PID CMD...: runs debugger commands in the real engine and
// prints its output as UTF-8. --attach looks at a live program without debugging it, --debug debugs it. With --dml links are printed as they come.
// "stacks:" prints all stacks in a form to parse. "call: NAME ARGS" is !NAME ARGS with its result.
// "interrupt MS: NAME ARGS" is the same, with Ctrl+Break after so many ms. "running: NAME ARGS" is the same while the debugged
// program runs, which has broken in again behind it. A command that fails is followed by a line "HRESULT 0x........" and
// makes the exit code 1.
#include "sample.h"

#include <initguid.h>
#include <stdio.h>
#include <stdlib.h>
#include <wchar.h>
#include <dbgeng.h>

#define READY_BOUND_MS 60000
#define BREAK_BOUND_MS 20000
#define COMMAND_LINE_CHARS 32768

typedef HRESULT(WINAPI *CreateClient)(REFIID, void **);

static BOOL with_dml;
static IDebugOutputCallbacksWide output;
static IDebugOutputCallbacks2 dml_output;

static HRESULT STDMETHODCALLTYPE output_query(IDebugOutputCallbacksWide *self, REFIID id, void **object) {
    // The engine asks for richer callbacks first; whoever claims to have them gets called through them.
    (void)self;
    *object = IsEqualIID(id, &IID_IUnknown) || IsEqualIID(id, &IID_IDebugOutputCallbacksWide) ? (void *)&output
              : with_dml && IsEqualIID(id, &IID_IDebugOutputCallbacks2)                       ? (void *)&dml_output
                                                                                              : NULL;
    return *object ? S_OK : E_NOINTERFACE;
}

static ULONG STDMETHODCALLTYPE output_reference(IDebugOutputCallbacksWide *self) {
    (void)self;
    return 1;
}

static HRESULT STDMETHODCALLTYPE output_write(IDebugOutputCallbacksWide *self, ULONG mask, PCWSTR text) {
    (void)self, (void)mask;
    int length = WideCharToMultiByte(CP_UTF8, 0, text, -1, NULL, 0, NULL, NULL);
    char *utf8 = malloc(length);
    if (!utf8) return E_OUTOFMEMORY;
    WideCharToMultiByte(CP_UTF8, 0, text, -1, utf8, length, NULL, NULL);
    fputs(utf8, stdout);
    free(utf8);
    return S_OK;
}

static HRESULT STDMETHODCALLTYPE dml_query(IDebugOutputCallbacks2 *self, REFIID id, void **object);

static ULONG STDMETHODCALLTYPE dml_reference(IDebugOutputCallbacks2 *self) {
    (void)self;
    return 1;
}

static HRESULT STDMETHODCALLTYPE dml_not_used(IDebugOutputCallbacks2 *self, ULONG mask, PCSTR text) {
    (void)self, (void)mask, (void)text;
    return E_NOTIMPL;
}

static HRESULT STDMETHODCALLTYPE dml_interest(IDebugOutputCallbacks2 *self, ULONG *mask) {
    (void)self;
    *mask = DEBUG_OUTCBI_ANY_FORMAT;
    return S_OK;
}

static HRESULT STDMETHODCALLTYPE dml_write(IDebugOutputCallbacks2 *self, ULONG which, ULONG flags, ULONG64 mask, PCWSTR text) {
    (void)self, (void)flags;
    return which <= DEBUG_OUTCB_DML && text ? output_write(NULL, (ULONG)mask, text) : S_OK;
}

static IDebugOutputCallbacks2Vtbl dml_vtable = {dml_query, dml_reference, dml_reference, dml_not_used, dml_interest, dml_write};
static IDebugOutputCallbacks2 dml_output = {&dml_vtable};

static HRESULT STDMETHODCALLTYPE dml_query(IDebugOutputCallbacks2 *self, REFIID id, void **object) {
    (void)self;
    return output_query(NULL, id, object);
}

static IDebugOutputCallbacksWideVtbl output_vtable = {output_query, output_reference, output_reference, output_write};
static IDebugOutputCallbacksWide output = {&output_vtable};

// The engine's worker threads do not end by themselves.
static __attribute__((noreturn)) void leave(int code) {
    fflush(stdout);
    fflush(stderr);
    TerminateProcess(GetCurrentProcess(), code);
    abort();
}

static void check(HRESULT result, const char *what) {
    if (SUCCEEDED(result)) return;
    fprintf(stderr, "lab: %s: HRESULT 0x%08lx\n", what, (DWORD)result);
    leave(1);
}

// "call: NAME ARGS" calls an extension function directly, since Execute does not pass on what "!NAME ARGS" returns.
static HRESULT call_extension(IDebugControl4 *control, const wchar_t *call) {
    wchar_t name[64] = {0};
    while (*call == L' ') call++;
    size_t length = wcscspn(call, L" ");
    if (length >= sizeof name / sizeof *name) return E_INVALIDARG;
    wmemcpy(name, call, length);
    return control->lpVtbl->CallExtensionWide(control, 0, name, call + length + wcsspn(call + length, L" "));
}

typedef struct {
    IDebugControl4 *control;
    DWORD delay;
    ULONGLONG at;
    ULONGLONG used;
} Interrupt;

// The processor time of this process in ms: what else runs on the machine is not in it.
static ULONGLONG processor_time(void) {
    FILETIME created, ended, kernel, user;
    if (!GetProcessTimes(GetCurrentProcess(), &created, &ended, &kernel, &user)) return 0;
    ULONGLONG in_kernel = (ULONGLONG)kernel.dwHighDateTime << 32 | kernel.dwLowDateTime;
    ULONGLONG in_user = (ULONGLONG)user.dwHighDateTime << 32 | user.dwLowDateTime;
    return (in_kernel + in_user) / 10000;
}

static DWORD WINAPI interrupt_later(void *parameter) {
    Interrupt *interrupt = parameter;
    Sleep(interrupt->delay);
    interrupt->at = GetTickCount64();
    interrupt->used = processor_time();
    interrupt->control->lpVtbl->SetInterrupt(interrupt->control, DEBUG_INTERRUPT_PASSIVE);
    return 0;
}

// "interrupt MS: NAME ARGS"; prints how long after the interruption the call came back, unless it ended before.
static HRESULT call_interrupted(IDebugControl4 *control, const wchar_t *rest) {
    wchar_t *end;
    Interrupt interrupt = {control, wcstoul(rest, &end, 10), 0, 0};
    ULONGLONG used = processor_time();
    if (*end != L':') return E_INVALIDARG;
    HANDLE thread = CreateThread(NULL, 0, interrupt_later, &interrupt, 0, NULL);
    if (!thread) return HRESULT_FROM_WIN32(GetLastError());
    HRESULT result = call_extension(control, end + 1);
    ULONGLONG ended = GetTickCount64();
    ULONGLONG used_then = processor_time();
    WaitForSingleObject(thread, INFINITE);
    CloseHandle(thread);
    if (interrupt.at <= ended) printf("back after %llu ms, %llu ms of processor time of %llu\n", ended - interrupt.at, used_then - interrupt.used, used_then - used);
    return result;
}

// "running: NAME ARGS": the engine reports that the program runs from SetExecutionStatus on.
static HRESULT call_while_running(IDebugControl4 *control, const wchar_t *rest) {
    HRESULT result = control->lpVtbl->SetExecutionStatus(control, DEBUG_STATUS_GO);
    if (FAILED(result)) return result;
    HRESULT called = call_extension(control, rest);
    result = control->lpVtbl->SetInterrupt(control, DEBUG_INTERRUPT_ACTIVE);
    if (SUCCEEDED(result)) result = control->lpVtbl->WaitForEvent(control, 0, BREAK_BOUND_MS);
    return FAILED(result) ? result : result == S_FALSE ? HRESULT_FROM_WIN32(WAIT_TIMEOUT) : called;
}

// "stacks:" prints what ~*k shows in a form to parse, tab separated, one line a frame:
// thread id, frame number, instruction, stack pointer, return address (hexadecimal), module!symbol+0xoffset or "?".
static HRESULT print_stacks(IDebugControl4 *control) {
    static DEBUG_STACK_FRAME frames[512];
    static wchar_t name[2048];
    ULONG threads, engine_ids[4096], system_ids[4096], filled, size;
    ULONG64 offset;
    IDebugSystemObjects *objects;
    IDebugSymbols3 *symbols;
    HRESULT result = control->lpVtbl->QueryInterface(control, &IID_IDebugSystemObjects, (void **)&objects);
    if (SUCCEEDED(result)) result = control->lpVtbl->QueryInterface(control, &IID_IDebugSymbols3, (void **)&symbols);
    if (SUCCEEDED(result)) result = objects->lpVtbl->GetNumberThreads(objects, &threads);
    if (SUCCEEDED(result) && threads > 4096) result = E_OUTOFMEMORY;
    if (SUCCEEDED(result)) result = objects->lpVtbl->GetThreadIdsByIndex(objects, 0, threads, engine_ids, system_ids);
    for (ULONG t = 0; SUCCEEDED(result) && t < threads; t++) {
        result = objects->lpVtbl->SetCurrentThreadId(objects, engine_ids[t]);
        if (SUCCEEDED(result)) result = control->lpVtbl->GetStackTrace(control, 0, 0, 0, frames, 512, &filled);
        for (ULONG f = 0; SUCCEEDED(result) && f < filled; f++) {
            BOOL named = SUCCEEDED(symbols->lpVtbl->GetNameByOffsetWide(symbols, frames[f].InstructionOffset, name, 2048, &size, &offset));
            printf("%lx\t%lu\t%llx\t%llx\t%llx\t", system_ids[t], f, frames[f].InstructionOffset, frames[f].StackOffset, frames[f].ReturnOffset);
            if (named)
                printf("%ls+0x%llx\n", name, offset);
            else
                printf("?\n");
        }
    }
    return result;
}

static const wchar_t *after(const wchar_t *command, const wchar_t *prefix) {
    size_t length = wcslen(prefix);
    return wcsncmp(command, prefix, length) == 0 ? command + length : NULL;
}

static BOOL execute(IDebugControl4 *control, const wchar_t *command) {
    const wchar_t *rest;
    HRESULT result = (rest = after(command, L"call:"))        ? call_extension(control, rest)
                     : (rest = after(command, L"interrupt ")) ? call_interrupted(control, rest)
                     : (rest = after(command, L"running:"))   ? call_while_running(control, rest)
                     : wcscmp(command, L"stacks:") == 0       ? print_stacks(control)
                                                              : control->lpVtbl->ExecuteWide(control, DEBUG_OUTCTL_ALL_CLIENTS, command, DEBUG_EXECUTE_NOT_LOGGED);
    if (FAILED(result)) printf("HRESULT 0x%08lx\n", (DWORD)result);
    fflush(stdout);
    return SUCCEEDED(result);
}

// To a program that it starts, or to a process that runs, given by its id.
static void attach(IDebugClient5 *client, wchar_t *program, ULONG process, ULONG how, Sample *sample) {
    static wchar_t command_line[COMMAND_LINE_CHARS];
    if (process) {
        check(client->lpVtbl->AttachProcess(client, 0, process, how), "AttachProcess");
        return;
    }
    sample_append_argument(command_line, COMMAND_LINE_CHARS, program);
    if (!sample_start(command_line, READY_BOUND_MS, sample)) leave(1);
    check(client->lpVtbl->AttachProcess(client, 0, sample->process.dwProcessId, how), "AttachProcess");
}

int wmain(int count, wchar_t **arguments) {
    with_dml = count > 1 && wcscmp(arguments[1], L"--dml") == 0;
    arguments += with_dml, count -= with_dml;
    BOOL debug = count > 1 && wcscmp(arguments[1], L"--debug") == 0;
    BOOL live = debug || (count > 1 && wcscmp(arguments[1], L"--attach") == 0);
    int commands = live ? 3 : 2;
    ULONG process = live && count > 2 ? wcstoul(arguments[2], NULL, 10) : 0;
    Sample sample;
    IDebugClient5 *client;
    IDebugControl4 *control;
    BOOL succeeded = TRUE;
    if (count <= commands) {
        fprintf(stderr, "usage: engine [--dml] DUMP CMD... | engine [--dml] --attach|--debug PROGRAM|PID CMD...\n");
        return 64;
    }
    HMODULE engine = LoadLibraryW(L"dbgeng.dll");
    CreateClient create = engine ? (CreateClient)(void *)GetProcAddress(engine, "DebugCreate") : NULL;
    check(create ? S_OK : HRESULT_FROM_WIN32(GetLastError()), "dbgeng.dll");
    check(create(&IID_IDebugClient5, (void **)&client), "DebugCreate");
    check(client->lpVtbl->QueryInterface(client, &IID_IDebugControl4, (void **)&control), "IDebugControl4");

    if (debug) check(control->lpVtbl->AddEngineOptions(control, DEBUG_ENGOPT_INITIAL_BREAK), "AddEngineOptions");
    if (live)
        attach(client, arguments[2], process, debug ? DEBUG_ATTACH_DEFAULT : DEBUG_ATTACH_NONINVASIVE, &sample);
    else
        check(client->lpVtbl->OpenDumpFileWide(client, arguments[1], 0), "OpenDumpFile");
    check(control->lpVtbl->WaitForEvent(control, 0, INFINITE), "WaitForEvent");
    // From here on: what the engine says while it opens is a banner, not an answer.
    check(client->lpVtbl->SetOutputCallbacksWide(client, &output), "SetOutputCallbacks");
    for (int i = commands; i < count; i++) succeeded &= execute(control, arguments[i]);

    // A debugged process ends with its debugger.
    if (live && !debug) {
        client->lpVtbl->DetachProcesses(client);
        if (!process) sample_end(&sample);
    }
    leave(succeeded ? 0 : 1);
}
