#include "module.h"

#include <wchar.h>

static const char in_this_module;

static HMODULE this_module(DWORD flags) {
    HMODULE self = NULL;
    GetModuleHandleExW(GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS | flags, (const wchar_t *)(const void *)&in_this_module, &self);
    return self;
}

BOOL beside_this_module(const wchar_t *name, wchar_t path[path_chars]) {
    HMODULE self = this_module(GET_MODULE_HANDLE_EX_FLAG_UNCHANGED_REFCOUNT);
    DWORD length = self ? GetModuleFileNameW(self, path, path_chars) : 0;
    while (length && path[length - 1] != L'\\') length--;
    if (!length || length + wcslen(name) >= path_chars) return FALSE;
    wcscpy(path + length, name);
    return TRUE;
}

void pin_this_module(void) {
    this_module(GET_MODULE_HANDLE_EX_FLAG_PIN);
}
