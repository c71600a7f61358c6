// What the native samples share: saying READY only when the state is really there.
#pragma once
#include <windows.h>
#include <winternl.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef _WIN64
#define INSTRUCTION_POINTER Rip
#else
#define INSTRUCTION_POINTER Eip
#endif

static inline void say_ready(void) {
    puts("READY");
    fflush(stdout);
}

// A sample that cannot reach its state must not look like one that did.
static inline void require(int condition, const char *what) {
    if (condition) return;
    fprintf(stderr, "the sample cannot go on: %s (error %lu)\n", what, GetLastError());
    ExitProcess(1);
}

static inline const ULONG_PTR *wait_calls(void);

static inline HANDLE start_thread(LPTHREAD_START_ROUTINE entry, void *context, const wchar_t *name) {
    typedef HRESULT(WINAPI * SetDescription)(HANDLE, PCWSTR);
    SetDescription describe = (SetDescription)(void *)GetProcAddress(GetModuleHandleW(L"kernelbase.dll"), "SetThreadDescription");
    HANDLE thread = CreateThread(NULL, 0, entry, context, 0, NULL);
    require(thread != NULL, "CreateThread");
    wait_calls();
    if (describe) describe(thread, name);
    return thread;
}

// Looked up once, before there is a hang: looking up needs the loader lock. Message calls are there in programs with
// windows only.
static inline const ULONG_PTR *wait_calls(void) {
    static const struct {
        const wchar_t *module;
        const char *name;
    } calls[] = {
        {L"ntdll.dll", "NtWaitForAlertByThreadId"}, {L"ntdll.dll", "NtWaitForSingleObject"}, {L"ntdll.dll", "NtWaitForMultipleObjects"},
        {L"ntdll.dll", "NtDelayExecution"},         {L"win32u.dll", "NtUserGetMessage"},     {L"win32u.dll", "NtUserMessageCall"},
    };
    enum { count = sizeof calls / sizeof *calls };
    static ULONG_PTR starts[count + 1];
    static BOOL looked_up;
    for (size_t i = 0, found = 0; i < count && !looked_up; i++) {
        HMODULE module = GetModuleHandleW(calls[i].module);
        if (module) starts[found++] = (ULONG_PTR)GetProcAddress(module, calls[i].name);
    }
    looked_up = TRUE;
    return starts;
}

// True if the thread stands in one of the system calls that wait. It is stopped for the look; nothing that needs
// a lock may be done meanwhile.
static inline BOOL is_in_wait(HANDLE thread) {
    enum { stub_bytes = 32 };  // a system call stub is no longer
    const ULONG_PTR *start = wait_calls();
    CONTEXT context = {.ContextFlags = CONTEXT_CONTROL};
    if (SuspendThread(thread) == (DWORD)-1) return FALSE;
    BOOL known = GetThreadContext(thread, &context);
    ResumeThread(thread);
    for (; known && *start; start++)
        if (context.INSTRUCTION_POINTER - *start < stub_bytes) return TRUE;
    return FALSE;
}

// Returns when the thread has been seen in a wait. The caller makes sure that it can only be the wait that is meant.
static inline void until_in_wait(HANDLE thread) {
    while (!is_in_wait(thread)) SwitchToThread();
}

// Returns when the thread has been seen in the code of the module: it is back from the call that told of its progress.
static inline void until_in_module(HANDLE thread, HMODULE module) {
    MEMORY_BASIC_INFORMATION code;
    do {
        CONTEXT context = {.ContextFlags = CONTEXT_CONTROL};
        SwitchToThread();
        if (SuspendThread(thread) == (DWORD)-1) return;
        BOOL known = GetThreadContext(thread, &context);
        ResumeThread(thread);
        if (!known || !VirtualQuery((void *)context.INSTRUCTION_POINTER, &code, sizeof code)) return;
    } while (code.AllocationBase != (void *)module);
}

static inline RTL_CRITICAL_SECTION *loader_lock(void) {
    enum { peb_loader_lock = 0x110 };
    return *(RTL_CRITICAL_SECTION **)((char *)NtCurrentTeb()->ProcessEnvironmentBlock + peb_loader_lock);
}

static inline ULONGLONG ticks(FILETIME time) {
    return ((ULONGLONG)time.dwHighDateTime << 32) + time.dwLowDateTime;
}

// CPU time of the calling thread, in units of 100 ns.
static inline ULONGLONG own_cpu_time(void) {
    FILETIME created, ended, kernel, user;
    if (!GetThreadTimes(GetCurrentThread(), &created, &ended, &kernel, &user)) return 0;
    return ticks(kernel) + ticks(user);
}

// A slice of work that does nothing.
static inline void count_up(void) {
    for (volatile int i = 0; i < 1 << 18; i++) continue;
}

// Runs slices of work until the calling thread has used enough CPU for a dump to show it.
static inline void burn_cpu(void (*slice)(void)) {
    enum { cpu_wanted = 15000000 };  // 1.5 s
    while (own_cpu_time() < cpu_wanted) slice();
}

// The same for a thread that must outweigh what all others have used to start, which can be much in a new Wine prefix.
static inline void burn_most_cpu(void (*slice)(void)) {
    enum { cpu_wanted = 50000000 };  // 5 s
    while (own_cpu_time() < cpu_wanted) slice();
}
