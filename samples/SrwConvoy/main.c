// A thread holds an SRW lock and waits for something else; a writer and two readers wait for the lock.
#include "../Shared/sections.h"

static SRWLOCK prices = SRWLOCK_INIT;
static HANDLE quote;
static volatile LONG holding, asking;

static DWORD WINAPI refresh(void *context) {
    (void)context;
    AcquireSRWLockExclusive(&prices);
    holding = TRUE;
    WaitForSingleObject(quote, INFINITE);
    ReleaseSRWLockExclusive(&prices);
    return 0;
}

static DWORD WINAPI write_prices(void *context) {
    (void)context;
    InterlockedIncrement(&asking);
    AcquireSRWLockExclusive(&prices);
    ReleaseSRWLockExclusive(&prices);
    return 0;
}

static DWORD WINAPI read_prices(void *context) {
    (void)context;
    InterlockedIncrement(&asking);
    AcquireSRWLockShared(&prices);
    ReleaseSRWLockShared(&prices);
    return 0;
}

int main(void) {
    quote = CreateEventW(NULL, TRUE, FALSE, NULL);
    start_bystander();
    HANDLE holder = start_thread(refresh, NULL, L"refresh");
    while (!holding) SwitchToThread();
    until_in_wait(holder);

    HANDLE waiters[] = {
        start_thread(write_prices, NULL, L"writer"),
        start_thread(read_prices, NULL, L"reader 1"),
        start_thread(read_prices, NULL, L"reader 2"),
    };
    enum { count = sizeof waiters / sizeof *waiters };
    // Once a thread has said that it is asking, the lock is all that it can wait for.
    while (asking < count) SwitchToThread();
    for (int i = 0; i < count; i++) until_in_wait(waiters[i]);
    say_ready();
    return WaitForSingleObject(holder, INFINITE);
}
