// Case A: a thread that exits spins in thread detach, under the loader lock, for what a thread in LoadLibrary would do next.
#include "../Shared/native.h"

static HANDLE detaching, burned, never;
static HMODULE spin;
static volatile LONG asks_loader;

static void *spin_function(const char *name) {
    void *function = (void *)GetProcAddress(spin, name);
    require(function != NULL, name);
    return function;
}

static DWORD WINAPI exiting_thread(void *context) {
    (void)context;
    void (*spin_at_my_exit)(HANDLE, HANDLE) = spin_function("spin_at_my_exit");
    spin_at_my_exit(detaching, burned);
    return 0;
}

static DWORD WINAPI loading_thread(void *context) {
    (void)context;
    void (*release_spinner)(void) = spin_function("release_spinner");
    WaitForSingleObject(detaching, INFINITE);
    asks_loader = TRUE;
    HMODULE victim = LoadLibraryA("victim.dll");
    release_spinner();
    return victim != NULL;
}

static DWORD WINAPI idle_thread(void *event) {
    return WaitForSingleObject(event, INFINITE);
}

static DWORD WINAPI pool_like_thread(void *event) {
    HANDLE both[] = {event, never};
    return WaitForMultipleObjects(2, both, FALSE, INFINITE);
}

int main(void) {
    detaching = CreateEventW(NULL, TRUE, FALSE, NULL);
    burned = CreateEventW(NULL, TRUE, FALSE, NULL);
    never = CreateEventW(NULL, TRUE, FALSE, NULL);
    spin = LoadLibraryA("spin.dll");
    require(spin != NULL, "spin.dll");
    LONGLONG (*spin_turns)(void) = spin_function("spin_turns");

    HANDLE idle[] = {start_thread(idle_thread, never, L"idle"), start_thread(pool_like_thread, CreateEventW(NULL, TRUE, FALSE, NULL), L"pool")};
    HANDLE loading = start_thread(loading_thread, NULL, L"loading");
    // Threads that start need the loader too: all of them must be past that before one exits.
    for (size_t i = 0; i < sizeof idle / sizeof *idle; i++) until_in_wait(idle[i]);
    until_in_wait(loading);
    HANDLE exiting = start_thread(exiting_thread, NULL, L"exiting");

    WaitForSingleObject(burned, INFINITE);
    // The spinner is in thread detach and cannot leave it, and the other one can only wait in LoadLibrary. Where waiters
    // are counted on the section itself, the count must say so too.
    while (!asks_loader) SwitchToThread();
    BOOL counts_plainly = loader_lock()->LockCount >= 0;
    while (counts_plainly && loader_lock()->LockCount < 1) SwitchToThread();
    until_in_wait(loading);
    LONGLONG turns = spin_turns();
    while (spin_turns() == turns) SwitchToThread();
    require(loader_lock()->OwningThread == ULongToHandle(GetThreadId(exiting)), "the exiting thread does not hold the loader lock");

    say_ready();
    return WaitForSingleObject(exiting, INFINITE);
}
