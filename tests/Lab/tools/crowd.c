// A healthy process of many threads that wait, each some calls deep: reading it takes a while.
#include <stdio.h>
#include <windows.h>

enum { threads = 1500, depth = 40, stack_bytes = 65536 };

static HANDLE never;
static volatile LONG waiting;

static __attribute__((noinline)) int wait_below(int calls) {
    if (calls > 0) return wait_below(calls - 1) + 1;
    InterlockedIncrement(&waiting);
    return (int)WaitForSingleObject(never, INFINITE);
}

static DWORD WINAPI wait_deep(void *parameter) {
    (void)parameter;
    return wait_below(depth);
}

int main(void) {
    never = CreateEventW(NULL, TRUE, FALSE, NULL);
    for (int i = 0; i < threads; i++)
        if (!CreateThread(NULL, stack_bytes, wait_deep, NULL, STACK_SIZE_PARAM_IS_A_RESERVATION, NULL)) return 1;
    while (waiting < threads) SwitchToThread();
    puts("READY");
    fflush(stdout);
    WaitForSingleObject(never, INFINITE);
}
