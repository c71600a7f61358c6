// Nothing hangs: workers share a critical section that they hold briefly, two threads are idle, main waits for an order.
#include "../Shared/sections.h"

enum { workers = 3, rounds_wanted = 1000 };

static CRITICAL_SECTION counters_lock;
static volatile LONG rounds[workers], ordered_to_stop;
static volatile unsigned long long work, counters;

static void compute(int turns) {
    for (int i = 0; i < turns; i++) work += work >> 3 ^ i;
}

static DWORD WINAPI serve(void *own_rounds) {
    while (!ordered_to_stop) {
        compute(20000);
        EnterCriticalSection(&counters_lock);
        counters++;
        compute(50);
        LeaveCriticalSection(&counters_lock);
        InterlockedIncrement(own_rounds);
    }
    return 0;
}

int main(void) {
    HANDLE order = CreateEventW(NULL, TRUE, FALSE, NULL);
    InitializeCriticalSection(&counters_lock);
    start_bystander();
    start_bystander();
    for (int i = 0; i < workers; i++) start_thread(serve, (void *)&rounds[i], L"worker");
    for (int i = 0; i < workers; i++)
        while (rounds[i] < rounds_wanted) SwitchToThread();
    say_ready();
    return WaitForSingleObject(order, INFINITE);
}
