// Windows that are only there for messages: they need no display.
#pragma once
#include "sections.h"

static inline HWND create_message_window(WNDPROC procedure) {
    WNDCLASSW class = {.lpfnWndProc = procedure, .hInstance = GetModuleHandleW(NULL), .lpszClassName = L"sample"};
    require(RegisterClassW(&class) != 0, "RegisterClass");
    HWND window = CreateWindowExW(0, class.lpszClassName, L"sample", 0, 0, 0, 0, 0, HWND_MESSAGE, NULL, class.hInstance, NULL);
    require(window != NULL, "CreateWindowEx");
    return window;
}
