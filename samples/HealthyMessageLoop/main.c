// Nothing hangs: a window's thread waits for messages, workers are in the usual waits, a mutex goes from hand to hand.
#include "../Shared/messages.h"

enum { ping = WM_APP, turns_wanted = 200, players = 2 };

static HANDLE window_made, pool_done, pool_worker;
static HWND window;
static volatile LONG turns[players], ordered_to_stop, about_to_read;

static LRESULT CALLBACK answer(HWND handle, UINT message, WPARAM first, LPARAM second) {
    return message == ping ? (LRESULT)first + 1 : DefWindowProcW(handle, message, first, second);
}

static DWORD WINAPI run_messages(void *context) {
    MSG message;
    (void)context;
    window = create_message_window(answer);
    SetEvent(window_made);
    while (GetMessageW(&message, NULL, 0, 0) > 0) DispatchMessageW(&message);
    return 0;
}

static DWORD WINAPI take_turns(void *own_turns) {
    HANDLE mutex = CreateMutexW(NULL, FALSE, L"the sample's turn");
    require(mutex != NULL, "CreateMutex");
    while (!ordered_to_stop) {
        WaitForSingleObject(mutex, INFINITE);
        InterlockedIncrement(own_turns);
        ReleaseMutex(mutex);
        SwitchToThread();
    }
    return 0;
}

static DWORD WINAPI wait_for_any(void *context) {
    HANDLE both[] = {CreateEventW(NULL, TRUE, FALSE, NULL), CreateEventW(NULL, TRUE, FALSE, NULL)};
    (void)context;
    return WaitForMultipleObjects(2, both, FALSE, INFINITE);
}

static DWORD WINAPI sleep_alertably(void *context) {
    (void)context;
    return SleepEx(INFINITE, TRUE);
}

// Reads from a pipe whose other end is open and silent.
static DWORD WINAPI read_pipe(void *context) {
    static const wchar_t name[] = L"\\\\.\\pipe\\HealthyMessageLoop";
    OVERLAPPED operation = {.hEvent = CreateEventW(NULL, TRUE, FALSE, NULL)};
    HANDLE server = CreateNamedPipeW(name, PIPE_ACCESS_INBOUND | FILE_FLAG_OVERLAPPED, PIPE_TYPE_BYTE, 1, 64, 64, 0, NULL);
    HANDLE client = CreateFileW(name, GENERIC_WRITE, 0, NULL, OPEN_EXISTING, 0, NULL);
    DWORD got;
    char byte;
    (void)context;
    require(server != INVALID_HANDLE_VALUE && client != INVALID_HANDLE_VALUE, "the pipe");
    require(!ReadFile(server, &byte, 1, NULL, &operation) && GetLastError() == ERROR_IO_PENDING, "ReadFile");
    about_to_read = TRUE;
    return GetOverlappedResult(server, &operation, &got, TRUE);
}

static void CALLBACK work_in_pool(PTP_CALLBACK_INSTANCE instance, void *context) {
    (void)instance, (void)context;
    DuplicateHandle(GetCurrentProcess(), GetCurrentThread(), GetCurrentProcess(), &pool_worker, 0, FALSE, DUPLICATE_SAME_ACCESS);
    SetEvent(pool_done);
}

int main(void) {
    window_made = CreateEventW(NULL, TRUE, FALSE, NULL);
    pool_done = CreateEventW(NULL, TRUE, FALSE, NULL);
    start_bystander();
    HANDLE gui = start_thread(run_messages, NULL, L"window");
    WaitForSingleObject(window_made, INFINITE);
    require(SendMessageW(window, ping, 41, 0) == 42, "the window's answer");
    HANDLE reader = start_thread(read_pipe, NULL, L"pipe reader");
    HANDLE waiting[] = {gui, reader, start_thread(wait_for_any, NULL, L"any of two"), start_thread(sleep_alertably, NULL, L"sleeper")};
    while (!about_to_read) SwitchToThread();
    for (int i = 0; i < players; i++) start_thread(take_turns, (void *)&turns[i], L"player");
    for (int i = 0; i < players; i++)
        while (turns[i] < turns_wanted) SwitchToThread();

    require(TrySubmitThreadpoolCallback(work_in_pool, NULL, NULL), "the thread pool");
    WaitForSingleObject(pool_done, INFINITE);
    until_in_wait(pool_worker);
    for (size_t i = 0; i < sizeof waiting / sizeof *waiting; i++) until_in_wait(waiting[i]);
    say_ready();
    return WaitForSingleObject(gui, INFINITE);
}
