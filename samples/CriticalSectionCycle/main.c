// Two threads take two critical sections in opposite order; a third waits behind them.
#include "../Shared/sections.h"

static CRITICAL_SECTION accounts, journal;

int main(void) {
    Plan plans[] = {
        {.name = L"transfer", .holds = &accounts, .wants = &journal},
        {.name = L"audit", .holds = &journal, .wants = &accounts},
        {.name = L"report", .wants = &accounts},
    };
    InitializeCriticalSection(&accounts);
    InitializeCriticalSection(&journal);
    start_bystander();
    carry_out(plans, sizeof plans / sizeof *plans);
    say_ready();
    return WaitForSingleObject(plans[0].thread, INFINITE);
}
