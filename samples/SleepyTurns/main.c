// Six threads take turns on a critical section under which each sleeps for a moment: slow, and no hang.
#include "../Shared/sections.h"

enum { workers = 6, turns_wanted = 20, moment = 30 };

static CRITICAL_SECTION device;
static volatile LONG turns;

static DWORD WINAPI take_turns(void *context) {
    (void)context;
    for (;;) {
        EnterCriticalSection(&device);
        Sleep(moment);
        turns++;
        LeaveCriticalSection(&device);
    }
    return 0;
}

int main(void) {
    HANDLE order = CreateEventW(NULL, TRUE, FALSE, NULL);
    InitializeCriticalSection(&device);
    for (int i = 0; i < workers; i++) start_thread(take_turns, NULL, L"worker");
    while (turns < turns_wanted) SwitchToThread();
    say_ready();
    return WaitForSingleObject(order, INFINITE);
}
