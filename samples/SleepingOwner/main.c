// A thread sleeps for ever while it holds a critical section. Three others wait for it.
#include "../Shared/sections.h"

static CRITICAL_SECTION cache;
static volatile LONG held;

static DWORD WINAPI take_and_sleep(void *context) {
    (void)context;
    EnterCriticalSection(&cache);
    held = TRUE;
    Sleep(INFINITE);
    LeaveCriticalSection(&cache);
    return 0;
}

int main(void) {
    Plan plans[] = {
        {.name = L"reader 1", .wants = &cache},
        {.name = L"reader 2", .wants = &cache},
        {.name = L"reader 3", .wants = &cache},
    };
    InitializeCriticalSection(&cache);
    start_bystander();
    HANDLE sleeper = start_thread(take_and_sleep, NULL, L"sleeper");
    while (!held) SwitchToThread();
    until_in_wait(sleeper);
    carry_out(plans, sizeof plans / sizeof *plans);
    say_ready();
    return WaitForSingleObject(sleeper, INFINITE);
}
