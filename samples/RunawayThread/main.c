// One thread burns a processor and holds nothing that another one wants. Busy, not hung.
#include "../Shared/sections.h"

static HANDLE burned;
static volatile unsigned long long primes;
static volatile LONG ordered_to_stop;

static void look_for_primes(void) {
    for (unsigned n = 3; n < 20000; n += 2) {
        unsigned d = 3;
        while (d * d <= n && n % d) d += 2;
        primes += d * d > n;
    }
}

static DWORD WINAPI run_away(void *context) {
    (void)context;
    burn_most_cpu(look_for_primes);
    SetEvent(burned);
    while (!ordered_to_stop) look_for_primes();
    return 0;
}

int main(void) {
    burned = CreateEventW(NULL, TRUE, FALSE, NULL);
    start_bystander();
    start_bystander();
    HANDLE runaway = start_thread(run_away, NULL, L"runaway");
    WaitForSingleObject(burned, INFINITE);
    until_in_module(runaway, GetModuleHandleW(NULL));
    say_ready();
    return WaitForSingleObject(CreateEventW(NULL, TRUE, FALSE, NULL), INFINITE);
}
