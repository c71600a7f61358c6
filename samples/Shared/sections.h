// Threads that hold one critical section and then want another.
#pragma once
#include "native.h"

typedef struct {
    const wchar_t *name;
    CRITICAL_SECTION *holds, *wants;  // either may be NULL
    HANDLE thread;
    volatile LONG holding, asking;
} Plan;

static HANDLE sections_go;

static inline DWORD WINAPI follow_plan(void *context) {
    Plan *plan = context;
    if (plan->holds) EnterCriticalSection(plan->holds);
    plan->holding = TRUE;
    WaitForSingleObject(sections_go, INFINITE);
    plan->asking = TRUE;
    if (plan->wants) EnterCriticalSection(plan->wants);
    if (plan->wants) LeaveCriticalSection(plan->wants);
    if (plan->holds) LeaveCriticalSection(plan->holds);
    return 0;
}

// Returns when every thread holds what it should and waits for what it wants. Nothing but the wanted section can be
// what a thread waits for once it has said that it is asking.
static inline void carry_out(Plan *plans, size_t count) {
    sections_go = CreateEventW(NULL, TRUE, FALSE, NULL);
    for (size_t i = 0; i < count; i++) {
        plans[i].thread = start_thread(follow_plan, &plans[i], plans[i].name);
        while (!plans[i].holding) SwitchToThread();
    }
    SetEvent(sections_go);
    for (size_t i = 0; i < count; i++) {
        if (!plans[i].wants) continue;
        while (!plans[i].asking) SwitchToThread();
        until_in_wait(plans[i].thread);
    }
}

static inline DWORD WINAPI wait_for_ever(void *event) {
    return WaitForSingleObject(event, INFINITE);
}

// A thread in an ordinary wait, that is nobody's business.
static inline void start_bystander(void) {
    until_in_wait(start_thread(wait_for_ever, CreateEventW(NULL, TRUE, FALSE, NULL), L"idle"));
}
