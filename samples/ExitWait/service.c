// A library with a thread. When it is unloaded, be it that the process ends, it asks the thread to stop and waits until it has.
#include "../Shared/native.h"

static HANDLE stop, stopped, ending;

static DWORD WINAPI serve(void *context) {
    (void)context;
    WaitForSingleObject(stop, INFINITE);
    SetEvent(stopped);
    return 0;
}

__declspec(dllexport) HANDLE start(HANDLE tell) {
    ending = tell;
    stop = CreateEventW(NULL, TRUE, FALSE, NULL);
    stopped = CreateEventW(NULL, TRUE, FALSE, NULL);
    return start_thread(serve, NULL, L"service");
}

BOOL WINAPI DllMain(HINSTANCE instance, DWORD reason, void *reserved) {
    (void)instance, (void)reserved;
    if (reason != DLL_PROCESS_DETACH) return TRUE;
    SetEvent(stop);
    SetEvent(ending);
    return WaitForSingleObject(stopped, INFINITE) == WAIT_OBJECT_0;
}
