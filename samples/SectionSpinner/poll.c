// A library that waits by asking again and again.
#include "../Shared/native.h"

static volatile LONGLONG turns;

// How often it has asked.
__declspec(dllexport) LONGLONG poll_turns(void) { return turns; }

// Returns when the flag is set. The event is set when the thread has burned enough CPU for a dump to show it.
__declspec(dllexport) __attribute__((noinline)) void poll_until_set(volatile LONG *flag, HANDLE burned) {
    // A yield on a busy machine gives a whole time slice away, so what a dump is to show is burned without any.
    burn_most_cpu(count_up);
    SetEvent(burned);
    while (!*flag) {
        SwitchToThread();
        turns++;
    }
}
