// A library that starts a thread in DllMain and waits until it has run. A thread cannot run before the loader has told
// every library of it, and the loader is busy with this one.
#include "../Shared/native.h"

static DWORD WINAPI prepare(void *context) {
    (void)context;
    return 0;
}

BOOL WINAPI DllMain(HINSTANCE instance, DWORD reason, void *reserved) {
    char handle[20];
    (void)instance, (void)reserved;
    if (reason != DLL_PROCESS_ATTACH) return TRUE;
    HANDLE thread = start_thread(prepare, NULL, L"helper");
    // For the sample's main, which cannot ask the loader for an export now.
    snprintf(handle, sizeof handle, "%p", (void *)thread);
    SetEnvironmentVariableA("HELPER_THREAD", handle);
    return WaitForSingleObject(thread, INFINITE) == WAIT_OBJECT_0;
}
