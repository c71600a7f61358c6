// A cycle across two kinds of lock: a mutex (the kernel's) and a critical section (the process's own).
#include "../Shared/sections.h"

static CRITICAL_SECTION settings;
static HANDLE file_mutex, both_held;
static volatile LONG holding, asking;

static DWORD WINAPI save(void *context) {
    (void)context;
    WaitForSingleObject(file_mutex, INFINITE);
    InterlockedIncrement(&holding);
    WaitForSingleObject(both_held, INFINITE);
    InterlockedIncrement(&asking);
    EnterCriticalSection(&settings);
    LeaveCriticalSection(&settings);
    return ReleaseMutex(file_mutex);
}

static DWORD WINAPI load(void *context) {
    (void)context;
    EnterCriticalSection(&settings);
    InterlockedIncrement(&holding);
    WaitForSingleObject(both_held, INFINITE);
    InterlockedIncrement(&asking);
    WaitForSingleObject(file_mutex, INFINITE);
    ReleaseMutex(file_mutex);
    LeaveCriticalSection(&settings);
    return 0;
}

int main(void) {
    InitializeCriticalSection(&settings);
    file_mutex = CreateMutexW(NULL, FALSE, NULL);
    both_held = CreateEventW(NULL, TRUE, FALSE, NULL);
    start_bystander();
    HANDLE threads[] = {start_thread(save, NULL, L"save"), start_thread(load, NULL, L"load")};
    while (holding < 2) SwitchToThread();
    SetEvent(both_held);
    while (asking < 2) SwitchToThread();
    until_in_wait(threads[0]);
    until_in_wait(threads[1]);
    say_ready();
    return WaitForMultipleObjects(2, threads, TRUE, INFINITE);
}
