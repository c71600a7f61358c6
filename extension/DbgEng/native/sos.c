#include "sos.h"

#include <psapi.h>
#include <wchar.h>

// One of SOS's managed commands: it needs no target, and its .NET is started for it.
#define SOS_COMMAND "!sos.ext sosstatus"

static BOOL is_managed(IDebugClient *client) {
    static const char *const runtimes[] = {"coreclr", "clr"};
    IDebugSymbols *symbols;
    BOOL found = FALSE;
    if (FAILED(client->lpVtbl->QueryInterface(client, &IID_IDebugSymbols, (void **)&symbols))) return FALSE;
    for (int i = 0; i < 2 && !found; i++)
        found = symbols->lpVtbl->GetModuleByModuleName(symbols, runtimes[i], 0, NULL, NULL) == S_OK;
    symbols->lpVtbl->Release(symbols);
    return found;
}

void sos_start_runtime(IDebugClient *client) {
    IDebugControl *control;
    // The debugger loads an extension that is named with its file if it lies on the extension path.
    if (!GetModuleHandleW(L"sos.dll") && !is_managed(client)) return;
    if (FAILED(client->lpVtbl->QueryInterface(client, &IID_IDebugControl, (void **)&control))) return;
    control->lpVtbl->Execute(control, DEBUG_OUTCTL_IGNORE, SOS_COMMAND, DEBUG_EXECUTE_NOT_LOGGED | DEBUG_EXECUTE_NO_REPEAT);
    control->lpVtbl->Release(control);
}

static int runtimes_in_this_process(void) {
    enum { most = 2048 };
    static HMODULE modules[most];
    wchar_t name[64];
    DWORD bytes = 0;
    int runtimes = 0;
    if (!K32EnumProcessModules(GetCurrentProcess(), modules, sizeof modules, &bytes)) return 0;
    for (DWORD i = 0; i < bytes / sizeof *modules && i < most; i++) {
        if (!K32GetModuleBaseNameW(GetCurrentProcess(), modules[i], name, 64)) continue;
        runtimes += _wcsicmp(name, L"coreclr.dll") == 0 || _wcsicmp(name, L"clr.dll") == 0;
    }
    return runtimes;
}

BOOL sos_is_shut_out(void) {
    return GetModuleHandleW(L"sos.dll") && runtimes_in_this_process() == 1;
}
