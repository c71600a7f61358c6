// !triage for WinDbg, cdb and ntsd: the debugger loads a native DLL, what it should run is managed. This half reads the
// arguments, finds .NET, hands the call over and says so when it cannot.
//
// Before .NET is started, this DLL can be unloaded at any time. The runtime that it started cannot be stopped; from then
// on the DLL stays.
#include <initguid.h>

#include "arguments.h"
#include "outofproc.h"
#include "runtime.h"

#include <dbgeng.h>
#include <stdlib.h>

static uint64_t session;

static void say(IDebugClient *client, ULONG mask, const char *format, const void *text) {
    IDebugControl *control;
    if (FAILED(client->lpVtbl->QueryInterface(client, &IID_IDebugControl, (void **)&control))) return;
    control->lpVtbl->Output(control, mask, format, text);
    control->lpVtbl->Release(control);
}

// The dump file that the session is on.
static BOOL find_dump(IDebugClient *client, wchar_t path[path_chars]) {
    IDebugClient4 *files;
    ULONG64 handle;
    ULONG size, type;
    if (FAILED(client->lpVtbl->QueryInterface(client, &IID_IDebugClient4, (void **)&files))) return FALSE;
    HRESULT result = files->lpVtbl->GetDumpFileWide(files, 0, path, path_chars, &size, &handle, &type);
    files->lpVtbl->Release(files);
    return result == S_OK;
}

static HRESULT run(IDebugClient *client, const Arguments *arguments, Message *message) {
    wchar_t file[path_chars];
    if (arguments->help) {
        say(client, DEBUG_OUTPUT_NORMAL, "%s", usage);
        return S_OK;
    }
    const wchar_t *dump = find_dump(client, file) ? file : NULL;
    if (arguments->out_of_process) return outofproc_run(client, dump, arguments, message);
    Request request = {client, session, dump, arguments->json, arguments->markdown, arguments->trace, arguments->is_verbose, arguments->is_deep, arguments->is_hung};
    return runtime_call(client, &request, message);
}

HRESULT CALLBACK triage(IDebugClient *client, PCSTR text) {
    if (!client) return E_INVALIDARG;
    Arguments *arguments = calloc(1, sizeof *arguments);
    Message *message = calloc(1, sizeof *message);
    HRESULT result = E_OUTOFMEMORY;
    if (arguments && message) {
        result = arguments_parse(text ? text : "", arguments, message) ? run(client, arguments, message) : E_INVALIDARG;
        if (message->text[0]) say(client, SUCCEEDED(result) ? DEBUG_OUTPUT_WARNING : DEBUG_OUTPUT_ERROR, "triage: %ws\n", message->text);
    }
    free(message);
    free(arguments);
    return result;
}

HRESULT CALLBACK help(IDebugClient *client, PCSTR arguments) {
    (void)arguments;
    return triage(client, "-help");
}

HRESULT CALLBACK DebugExtensionInitialize(ULONG *version, ULONG *flags) {
    *version = DEBUG_EXTENSION_VERSION(1, 0);
    *flags = 0;
    session++;
    return S_OK;
}

// Whatever happens to the session: it came, went, ran or stopped.
void CALLBACK DebugExtensionNotify(ULONG notify, ULONG64 argument) {
    (void)notify, (void)argument;
    session++;
}

void CALLBACK DebugExtensionUninitialize(void) {
}
