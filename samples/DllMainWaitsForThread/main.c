// DllMain, under the loader lock, waits for a thread that needs the loader lock to start.
#include "../Shared/sections.h"

static DWORD WINAPI load_helper(void *context) {
    (void)context;
    return LoadLibraryA("helper.dll") != NULL;
}

int main(void) {
    char handle[20];
    void *helper;
    start_bystander();
    HANDLE loading = start_thread(load_helper, NULL, L"loading");
    while (!GetEnvironmentVariableA("HELPER_THREAD", handle, sizeof handle)) SwitchToThread();
    require(sscanf(handle, "%p", &helper) == 1, "the helper's handle");
    BOOL counts_plainly = loader_lock()->LockCount >= 0;
    while (counts_plainly && loader_lock()->LockCount < 1) SwitchToThread();
    until_in_wait(helper);
    until_in_wait(loading);
    say_ready();
    return WaitForSingleObject(loading, INFINITE);
}
