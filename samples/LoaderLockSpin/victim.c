// A library like any other: loading it needs the loader, that is all.
#include <windows.h>

__declspec(dllexport) int victim_answer(void) {
    return 42;
}
