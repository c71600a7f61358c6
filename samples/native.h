// What the native samples share: saying READY only when the state is really there.
#pragma once
#include <windows.h>
#include <winternl.h>
#include <stdio.h>
#include <stdlib.h>

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

static inline HANDLE start_thread(LPTHREAD_START_ROUTINE entry, void *context, const wchar_t *name) {
    typedef HRESULT(WINAPI * SetDescription)(HANDLE, PCWSTR);
    SetDescription describe = (SetDescription)(void *)GetProcAddress(GetModuleHandleW(L"kernelbase.dll"), "SetThreadDescription");
    HANDLE thread = CreateThread(NULL, 0, entry, context, 0, NULL);
    require(thread != NULL, "CreateThread");
    if (describe) describe(thread, name);
    return thread;
}

// Looked up once, before there is a hang: looking up needs the loader lock.
static inline const ULONG_PTR *wait_calls(void) {
    static const char *const names[] = {"NtWaitForAlertByThreadId", "NtWaitForSingleObject", "NtWaitForMultipleObjects", "NtDelayExecution"};
    enum { count = sizeof names / sizeof *names };
    static ULONG_PTR starts[count + 1];
    for (size_t i = 0; i < count && !starts[count - 1]; i++)
        starts[i] = (ULONG_PTR)GetProcAddress(GetModuleHandleW(L"ntdll.dll"), names[i]);
    return starts;
}

// True if the thread stands in one of the system calls that wait. It is stopped for the look; nothing that needs
// a lock may be done meanwhile. To be called once before the hang.
static inline BOOL is_in_wait(HANDLE thread) {
    enum { stub_bytes = 32 };  // a system call stub on x64 is no longer
    const ULONG_PTR *start = wait_calls();
    CONTEXT context = {.ContextFlags = CONTEXT_CONTROL};
    if (SuspendThread(thread) == (DWORD)-1) return FALSE;
    BOOL known = GetThreadContext(thread, &context);
    ResumeThread(thread);
    for (; known && *start; start++)
        if (context.Rip - *start < stub_bytes) return TRUE;
    return FALSE;
}

// Returns when the thread has been seen in a wait. The caller makes sure that it can only be the wait that is meant.
static inline void until_in_wait(HANDLE thread) {
    while (!is_in_wait(thread)) SwitchToThread();
}

static inline RTL_CRITICAL_SECTION *loader_lock(void) {
    enum { peb_loader_lock = 0x110 };
    return *(RTL_CRITICAL_SECTION **)((char *)NtCurrentTeb()->ProcessEnvironmentBlock + peb_loader_lock);
}

// CPU time of the calling thread, in units of 100 ns.
static inline ULONGLONG own_cpu_time(void) {
    FILETIME created, ended, kernel, user;
    if (!GetThreadTimes(GetCurrentThread(), &created, &ended, &kernel, &user)) return 0;
    return (((ULONGLONG)kernel.dwHighDateTime << 32) + kernel.dwLowDateTime) + (((ULONGLONG)user.dwHighDateTime << 32) + user.dwLowDateTime);
}
