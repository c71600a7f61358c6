// main MEGABYTES THREADS: a process of that much memory, every page of it written, and of that many threads, which wait
// for all that a thread can wait for, 8 to 30 calls deep. Two of them are a deadlock; a quarter of the rest wait for it.
#include "../../../../samples/Shared/native.h"

enum { shallowest = 8, deepest = 30, kinds = 8, stack_kept = 128 * 1024, block_bytes = 1024 * 1024, page_bytes = 4096 };

typedef struct {
    int index;
    HANDLE thread;
    volatile LONG asking;
} Worker;

typedef int (*Step)(Worker *worker, int depth);

static CRITICAL_SECTION first, second;
static SRWLOCK sleepers = SRWLOCK_INIT;
static CONDITION_VARIABLE never = CONDITION_VARIABLE_INIT;
static HANDLE events[2];
static volatile LONG first_held, second_held;

static void wait_at_the_bottom(Worker *worker) {
    // The first two hold what the other one wants.
    if (worker->index == 0) {
        EnterCriticalSection(&first);
        first_held = TRUE;
        while (!second_held) SwitchToThread();
    } else if (worker->index == 1) {
        EnterCriticalSection(&second);
        second_held = TRUE;
        while (!first_held) SwitchToThread();
    } else {
        while (!first_held || !second_held) Sleep(1);
    }
    int kind = worker->index == 0 ? 1 : worker->index == 1 ? 0 : worker->index % kinds;
    if (kind == 6) AcquireSRWLockShared(&sleepers);
    worker->asking = TRUE;
    switch (kind) {
        case 0: EnterCriticalSection(&first); break;
        case 1: EnterCriticalSection(&second); break;
        case 2: WaitForSingleObject(events[0], INFINITE); break;
        case 3: WaitForMultipleObjects(2, events, FALSE, INFINITE); break;
        case 4: WaitForMultipleObjects(2, events, TRUE, INFINITE); break;
        case 5: Sleep(INFINITE - 1); break;
        case 6: SleepConditionVariableSRW(&never, &sleepers, INFINITE, CONDITION_VARIABLE_LOCKMODE_SHARED); break;
        default: WaitForSingleObjectEx(events[1], 24 * 60 * 60 * 1000, TRUE); break;
    }
}

// Functions with frames of different sizes that call each other in turn, as a program's do.
static int go_on(Worker *worker, int depth);

#define STEP(name, words)                                                \
    static __attribute__((noinline)) int name(Worker *worker, int depth) { \
        volatile int local[words];                                       \
        for (int i = 0; i < (words); i++) local[i] = depth + i;          \
        return go_on(worker, depth - 1) + local[depth % (words)];        \
    }

STEP(parse, 4)
STEP(load, 24)
STEP(apply, 9)
STEP(store, 130)
STEP(notify, 2)

static Step const steps[] = {parse, load, apply, store, notify};

static __attribute__((noinline)) int go_on(Worker *worker, int depth) {
    enum { count = sizeof steps / sizeof *steps };
    if (depth > 0) return steps[(worker->index + depth) % count](worker, depth) + 1;
    wait_at_the_bottom(worker);
    return 0;
}

// Wine commits the whole of a stack, 1 MB a thread; on Windows what was never used is not there, nor in a dump.
static void give_back_the_rest_of_the_stack(void) {
    enum { teb_deallocation_stack = 0x1478 };
    ULONG_PTR low = *(ULONG_PTR *)((char *)NtCurrentTeb() + teb_deallocation_stack);
    ULONG_PTR high = ((ULONG_PTR)&low - stack_kept) & ~(ULONG_PTR)(page_bytes - 1);
    low += stack_kept;  // guard pages, and what Wine says of them
    if (high > low) VirtualFree((void *)low, high - low, MEM_DECOMMIT);
}

static DWORD WINAPI work(void *context) {
    Worker *worker = context;
    give_back_the_rest_of_the_stack();
    // Each step is two frames.
    return (DWORD)go_on(worker, (shallowest + worker->index % (deepest - shallowest + 1)) / 2);
}

// Every page differs, so that nothing on the way to the disk can save itself the work.
static void fill(int megabytes) {
    for (int i = 0; i < megabytes; i++) {
        ULONG_PTR *block = VirtualAlloc(NULL, block_bytes, MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE);
        require(block != NULL, "VirtualAlloc");
        for (size_t at = 0; at < block_bytes / sizeof *block; at += page_bytes / sizeof *block) block[at] = (ULONG_PTR)&block[at];
    }
}

int main(int count, char **arguments) {
    require(count == 3, "usage: main MEGABYTES THREADS");
    int threads = atoi(arguments[2]);
    require(threads >= 2, "two threads are the least");
    fill(atoi(arguments[1]));
    InitializeCriticalSection(&first);
    InitializeCriticalSection(&second);
    for (int i = 0; i < 2; i++) events[i] = CreateEventW(NULL, TRUE, FALSE, NULL);
    wait_calls();
    Worker *workers = calloc((size_t)threads, sizeof *workers);
    require(workers != NULL, "calloc");
    for (int i = 0; i < threads; i++) {
        workers[i].index = i;
        workers[i].thread = CreateThread(NULL, 0, work, &workers[i], 0, NULL);
        require(workers[i].thread != NULL, "CreateThread");
    }
    for (int i = 0; i < threads; i++) {
        while (!workers[i].asking) SwitchToThread();
        until_in_wait(workers[i].thread);
    }
    say_ready();
    Sleep(INFINITE);
    return 0;
}
