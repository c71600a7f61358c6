// A library that wants its worker to be done before it lets a thread go: what it does in thread detach is the bug.
#include "../Shared/native.h"

static volatile LONG released;
static volatile LONGLONG turns;
static volatile DWORD exiting_thread;
static HANDLE detaching, burned;

// The thread that calls this spins when it exits. The first event is set when it does so, the second when it has
// burned enough CPU for a dump to show it.
__declspec(dllexport) void spin_at_my_exit(HANDLE at_detach, HANDLE at_burned) {
    detaching = at_detach;
    burned = at_burned;
    exiting_thread = GetCurrentThreadId();
}

__declspec(dllexport) void release_spinner(void) {
    InterlockedExchange(&released, 1);
}

__declspec(dllexport) LONGLONG spin_turns(void) {
    return turns;
}

__declspec(dllexport) __attribute__((noinline)) void spin_until_released(void) {
    SetEvent(detaching);
    // A yield on a busy machine gives a whole time slice away, so what a dump is to show is burned without any.
    burn_cpu(count_up);
    SetEvent(burned);
    while (!released) {
        SwitchToThread();
        turns++;
    }
}

BOOL WINAPI DllMain(HINSTANCE instance, DWORD reason, void *reserved) {
    (void)instance, (void)reserved;
    if (reason == DLL_THREAD_DETACH && GetCurrentThreadId() == exiting_thread) {
        spin_until_released();
        exiting_thread = 0;  // after the call, so that it stays a call and this frame stays on the stack
    }
    return TRUE;
}
