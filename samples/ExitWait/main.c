// The process ends, and a library's DllMain waits for a thread that the end of the process has ended. Nobody is left in it to
// see that, so a second process watches.
#include "../Shared/sections.h"

typedef HANDLE (*Start)(HANDLE ending);

static HANDLE inherited(HANDLE handle) {
    HANDLE copy;
    require(DuplicateHandle(GetCurrentProcess(), handle, GetCurrentProcess(), &copy, 0, TRUE, DUPLICATE_SAME_ACCESS), "DuplicateHandle");
    return copy;
}

static void start_watcher(HANDLE thread, HANDLE ending) {
    wchar_t program[MAX_PATH], command[2 * MAX_PATH];
    STARTUPINFOW startup = {.cb = sizeof startup};
    PROCESS_INFORMATION watcher;
    GetModuleFileNameW(NULL, program, MAX_PATH);
    swprintf(command, 2 * MAX_PATH, L"\"%ls\" %p %p", program, (void *)thread, (void *)ending);
    require(CreateProcessW(NULL, command, NULL, NULL, TRUE, 0, NULL, NULL, &startup, &watcher), "CreateProcess");
}

// ntdll lies at one place in every process, and so do the calls that wait.
static int watch(const char *thread, const char *ending) {
    void *thread_handle, *ending_handle;
    require(sscanf(thread, "%p", &thread_handle) == 1 && sscanf(ending, "%p", &ending_handle) == 1, "the handles");
    WaitForSingleObject(ending_handle, INFINITE);
    until_in_wait(thread_handle);
    say_ready();
    return 0;
}

int main(int count, char **arguments) {
    if (count == 3) return watch(arguments[1], arguments[2]);
    HANDLE ending = inherited(CreateEventW(NULL, TRUE, FALSE, NULL));
    start_watcher(inherited(GetCurrentThread()), ending);
    HMODULE library = LoadLibraryA("service.dll");
    require(library != NULL, "service.dll");
    until_in_wait(((Start)(void *)GetProcAddress(library, "start"))(ending));
    ExitProcess(0);
}
