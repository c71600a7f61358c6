// A thread with a window waits for an event; the thread that would set it is in SendMessage to that window.
#include "../Shared/messages.h"

enum { ask = WM_APP };

static HANDLE window_made, saved;
static HWND window;
static volatile LONG message_has_come;

static LRESULT CALLBACK answer(HWND handle, UINT message, WPARAM first, LPARAM second) {
    return message == ask ? TRUE : DefWindowProcW(handle, message, first, second);
}

static DWORD WINAPI show_window(void *context) {
    (void)context;
    window = create_message_window(answer);
    SetEvent(window_made);
    // Looked at, not taken: the message stays in the queue.
    while (!(HIWORD(GetQueueStatus(QS_SENDMESSAGE)) & QS_SENDMESSAGE)) SwitchToThread();
    message_has_come = TRUE;
    WaitForSingleObject(saved, INFINITE);
    return !DestroyWindow(window);
}

static DWORD WINAPI save_document(void *context) {
    (void)context;
    WaitForSingleObject(window_made, INFINITE);
    SendMessageW(window, ask, 0, 0);
    return SetEvent(saved);
}

int main(void) {
    window_made = CreateEventW(NULL, TRUE, FALSE, NULL);
    saved = CreateEventW(NULL, TRUE, FALSE, NULL);
    start_bystander();
    HANDLE saver = start_thread(save_document, NULL, L"saver");
    HANDLE gui = start_thread(show_window, NULL, L"window");
    // From here on the saver can only be on its way into the wait for the answer, and the window's thread into its own.
    while (!message_has_come) SwitchToThread();
    until_in_wait(gui);
    until_in_wait(saver);
    say_ready();
    return WaitForSingleObject(gui, INFINITE);
}
