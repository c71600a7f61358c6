// A cycle of three, a tail of two into it, two branches that meet in it, and a thread that waits for both branches.
#include "../Shared/sections.h"

static CRITICAL_SECTION a, b, c, tail, left, right;

static DWORD WINAPI wait_for_both(void *threads) {
    return WaitForMultipleObjects(2, threads, TRUE, INFINITE);
}

int main(void) {
    CRITICAL_SECTION *const all[] = {&a, &b, &c, &tail, &left, &right};
    Plan plans[] = {
        {.name = L"cycle 1", .holds = &a, .wants = &b},
        {.name = L"cycle 2", .holds = &b, .wants = &c},
        {.name = L"cycle 3", .holds = &c, .wants = &a},
        {.name = L"tail 1", .holds = &tail, .wants = &a},
        {.name = L"tail 2", .wants = &tail},
        {.name = L"left", .holds = &left, .wants = &b},
        {.name = L"right", .holds = &right, .wants = &c},
    };
    enum { left_branch = 5, right_branch = 6 };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) InitializeCriticalSection(all[i]);
    start_bystander();
    carry_out(plans, sizeof plans / sizeof *plans);
    HANDLE branches[] = {plans[left_branch].thread, plans[right_branch].thread};
    HANDLE top = start_thread(wait_for_both, branches, L"top of the diamond");
    until_in_wait(top);
    say_ready();
    return WaitForSingleObject(top, INFINITE);
}
