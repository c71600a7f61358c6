// A thread ends while it holds a critical section. Three others wait for it, for ever.
#include "../Shared/sections.h"

static CRITICAL_SECTION cache;

static DWORD WINAPI take_and_end(void *context) {
    (void)context;
    EnterCriticalSection(&cache);
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
    HANDLE owner = start_thread(take_and_end, NULL, L"owner");
    WaitForSingleObject(owner, INFINITE);
    CloseHandle(owner);
    carry_out(plans, sizeof plans / sizeof *plans);
    say_ready();
    return WaitForSingleObject(plans[0].thread, INFINITE);
}
