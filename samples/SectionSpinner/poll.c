// A library that waits by asking again and again.
#include "../native.h"

enum { cpu_wanted = 15000000 };  // 1.5 s

// On a machine with other work a thread can be long on its way to that; only one that was busy for much of its life
// looks as it should.
static BOOL has_burned_enough(void) {
    ULONGLONG cpu = own_cpu_time();
    return cpu >= cpu_wanted && cpu * 5 >= own_age() * 2;
}

// Returns when the flag is set. The event is set when the thread has burned enough CPU for a dump to show it.
__declspec(dllexport) __attribute__((noinline)) LONGLONG poll_until_set(volatile LONG *flag, HANDLE burned) {
    BOOL told = FALSE;
    LONGLONG turns = 0;
    while (!*flag) {
        SwitchToThread();
        turns++;
        if (told || turns % 4096) continue;
        if (!has_burned_enough()) continue;
        told = TRUE;
        SetEvent(burned);
    }
    return turns;
}
