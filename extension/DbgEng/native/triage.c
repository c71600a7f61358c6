// !triage for WinDbg, cdb and ntsd: the debugger loads a native DLL, what it should run is managed. This half finds .NET,
// hands the call over and says so when it cannot.
//
// The DLL can be unloaded at any time: nothing points into it. The runtime that it started cannot be stopped, and keeps
// the managed assembly loaded; loaded again, this DLL finds that runtime and joins it.
#include "runtime.h"

#include <initguid.h>
#include <dbgeng.h>
#include <stdlib.h>

static void say(IDebugClient *client, const Message *message) {
    IDebugControl *control;
    if (FAILED(client->lpVtbl->QueryInterface(client, &IID_IDebugControl, (void **)&control))) return;
    control->lpVtbl->Output(control, DEBUG_OUTPUT_ERROR, "triage: %ws\n", message->text);
    control->lpVtbl->Release(control);
}

// The debugger passes arguments in the system's code page. The caller frees the result.
static char *to_utf8(const char *text) {
    int wide_chars = MultiByteToWideChar(CP_ACP, 0, text, -1, NULL, 0);
    wchar_t *wide = malloc(wide_chars * sizeof *wide);
    if (!wide) return NULL;
    MultiByteToWideChar(CP_ACP, 0, text, -1, wide, wide_chars);
    int bytes = WideCharToMultiByte(CP_UTF8, 0, wide, -1, NULL, 0, NULL, NULL);
    char *utf8 = malloc(bytes);
    if (utf8) WideCharToMultiByte(CP_UTF8, 0, wide, -1, utf8, bytes, NULL, NULL);
    free(wide);
    return utf8;
}

static HRESULT run(IDebugClient *client, const char *arguments) {
    if (!client) return E_INVALIDARG;
    char *utf8 = to_utf8(arguments ? arguments : "");
    Message *message = calloc(1, sizeof *message);
    HRESULT result = E_OUTOFMEMORY;
    if (utf8 && message) {
        result = runtime_call(client, utf8, message);
        if (message->text[0]) say(client, message);
    }
    free(message);
    free(utf8);
    return result;
}

HRESULT CALLBACK triage(IDebugClient *client, PCSTR arguments) {
    return run(client, arguments);
}

HRESULT CALLBACK help(IDebugClient *client, PCSTR arguments) {
    (void)arguments;
    return run(client, "-help");
}

HRESULT CALLBACK DebugExtensionInitialize(ULONG *version, ULONG *flags) {
    *version = DEBUG_EXTENSION_VERSION(1, 0);
    *flags = 0;
    return S_OK;
}

void CALLBACK DebugExtensionNotify(ULONG notify, ULONG64 argument) {
    (void)notify, (void)argument;
}

void CALLBACK DebugExtensionUninitialize(void) {
}
