// The owner of a critical section waits for a flag by SwitchToThread; three threads wait for the section.
#include "../Shared/sections.h"

static CRITICAL_SECTION printer;
static void (*poll_until_set)(volatile LONG *flag, HANDLE burned);
static HANDLE burned;
static volatile LONG paper_loaded;

static DWORD WINAPI print(void *holding) {
    EnterCriticalSection(&printer);
    SetEvent(holding);
    poll_until_set(&paper_loaded, burned);
    LeaveCriticalSection(&printer);
    return 0;
}

int main(void) {
    Plan plans[] = {
        {.name = L"job 1", .wants = &printer},
        {.name = L"job 2", .wants = &printer},
        {.name = L"job 3", .wants = &printer},
    };
    HANDLE holding = CreateEventW(NULL, TRUE, FALSE, NULL);
    HMODULE poll = LoadLibraryA("poll.dll");
    require(poll != NULL, "poll.dll");
    poll_until_set = (void (*)(volatile LONG *, HANDLE))(void *)GetProcAddress(poll, "poll_until_set");
    require(poll_until_set != NULL, "poll_until_set");
    LONGLONG (*poll_turns)(void) = (LONGLONG(*)(void))(void *)GetProcAddress(poll, "poll_turns");
    require(poll_turns != NULL, "poll_turns");
    InitializeCriticalSection(&printer);
    burned = CreateEventW(NULL, TRUE, FALSE, NULL);
    start_bystander();
    HANDLE spinner = start_thread(print, holding, L"print");
    WaitForSingleObject(holding, INFINITE);
    carry_out(plans, sizeof plans / sizeof *plans);
    WaitForSingleObject(burned, INFINITE);
    // It can still be on its way back from the event.
    while (poll_turns() < 2) SwitchToThread();
    say_ready();
    return WaitForSingleObject(spinner, INFINITE);
}
