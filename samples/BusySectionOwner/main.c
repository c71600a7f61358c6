// The owner of a critical section computes in a tiny loop; six threads wait for it.
#include "../Shared/sections.h"

enum { waiters = 6 };

static CRITICAL_SECTION index_lock;
static unsigned long long (*recount)(unsigned long long rounds);
static HANDLE burned;
static volatile unsigned long long result;

static void recount_some(void) {
    result += recount(1 << 24);
}

static DWORD WINAPI rebuild_index(void *holding) {
    EnterCriticalSection(&index_lock);
    SetEvent(holding);
    burn_cpu(recount_some);
    SetEvent(burned);
    result += recount(~0ull);
    LeaveCriticalSection(&index_lock);
    return 0;
}

int main(void) {
    Plan plans[waiters] = {0};
    HANDLE holding = CreateEventW(NULL, TRUE, FALSE, NULL);
    HMODULE busy = LoadLibraryA("busy.dll");
    require(busy != NULL, "busy.dll");
    recount = (unsigned long long (*)(unsigned long long))(void *)GetProcAddress(busy, "recount");
    require(recount != NULL, "recount");
    InitializeCriticalSection(&index_lock);
    burned = CreateEventW(NULL, TRUE, FALSE, NULL);
    start_bystander();
    HANDLE owner = start_thread(rebuild_index, holding, L"indexer");
    WaitForSingleObject(holding, INFINITE);
    for (int i = 0; i < waiters; i++) plans[i] = (Plan){.name = L"query", .wants = &index_lock};
    carry_out(plans, waiters);
    WaitForSingleObject(burned, INFINITE);
    until_in_module(owner, busy);
    say_ready();
    return WaitForSingleObject(owner, INFINITE);
}
