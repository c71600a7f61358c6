// One CoreCLR to a process: if there is one (SOS starts it, or is made to), join it, else start it through hostfxr. What
// the two ways call in HangTriage.DbgEng.EntryPoint of HangTriage.DbgEng.dll beside this DLL:
//
//   [UnmanagedCallersOnly] static int Triage(Request *request)
//       the runtime is ours; the assembly lies in a load context of its own
//   static int Run(string request)
//       the runtime is another's, and so is the default load context that the assembly lies in.
//       request: the pointer in hexadecimal without 0x
//
// Both return an HRESULT and let no exception out. The request is valid during the call.
#include "runtime.h"

#include "find_hostfxr.h"
#include "module.h"
#include "sos.h"

#include <wchar.h>

#define ASSEMBLY L"HangTriage.DbgEng"
#define TYPE L"HangTriage.DbgEng.EntryPoint"

typedef int(WINAPI *Triage)(const Request *request);

typedef void *Host;
typedef void(__cdecl *ErrorWriter)(const wchar_t *);
typedef ErrorWriter(__cdecl *SetErrorWriter)(ErrorWriter);
typedef int32_t(__cdecl *Initialize)(const wchar_t *config, const void *parameters, Host *host);
typedef int32_t(__cdecl *GetRuntimeDelegate)(Host host, int type, void **function);
typedef int32_t(__cdecl *Close)(Host host);
typedef int(WINAPI *LoadFunction)(const wchar_t *assembly, const wchar_t *type, const wchar_t *method,
                                  const wchar_t *delegate_type, void *reserved, void **function);
enum { load_assembly_and_get_function_pointer = 5 };
#define UNMANAGED_CALLERS_ONLY ((const wchar_t *)(intptr_t)-1)

// ICLRRuntimeHost4, as far as it is used.
typedef struct RuntimeHost RuntimeHost;
typedef struct {
    void *query_interface, *add_reference;
    ULONG(WINAPI *release)(RuntimeHost *);
    void *start, *stop, *set_host_control, *get_control, *unload_domain, *execute_in_domain, *current_domain, *execute_application;
    HRESULT(WINAPI *execute_in_default_domain)(RuntimeHost *, const wchar_t *path, const wchar_t *type, const wchar_t *method,
                                               const wchar_t *argument, DWORD *result);
} RuntimeHostVtbl;
struct RuntimeHost {
    const RuntimeHostVtbl *vtbl;
};
typedef HRESULT(WINAPI *GetRuntimeHost)(const GUID *id, void **host);
static const GUID runtime_host_4 = {0x64F6D366, 0xD7C2, 0x4F1F, {0xB4, 0xB2, 0xE8, 0x16, 0x0C, 0xAC, 0x43, 0xAF}};

static Triage started;         // set once our own runtime runs
static BOOL sos_was_first;     // SOS was there before that, and had no runtime to join
static Message *error_target;  // where hostfxr's error lines go during a start

static FARPROC function_of(HMODULE module, const char *name, Message *message) {
    FARPROC function = GetProcAddress(module, name);
    if (!function) message_add(message, L"%hs is missing in the .NET found", name);
    return function;
}

static void __cdecl keep_error(const wchar_t *line) {
    if (error_target) message_add(error_target, L"\n%ls", line);
}

static HRESULT load_entry(Initialize initialize, GetRuntimeDelegate get_delegate, Close close, Message *message) {
    wchar_t config[path_chars], assembly[path_chars];
    Host host = NULL;
    LoadFunction load = NULL;
    void *function = NULL;
    if (!beside_this_module(ASSEMBLY L".runtimeconfig.json", config) || !beside_this_module(ASSEMBLY L".dll", assembly)) return E_UNEXPECTED;
    int32_t status = initialize(config, NULL, &host);
    if (status >= 0) status = get_delegate(host, load_assembly_and_get_function_pointer, (void **)&load);
    if (host) close(host);
    if (status < 0) {
        message_add(message, L".NET could not be started: 0x%08x", (unsigned)status);
        return status;
    }
    status = load(assembly, TYPE L", " ASSEMBLY, L"Triage", UNMANAGED_CALLERS_ONLY, NULL, &function);
    if (status < 0) {
        message_add(message, L"%ls could not be loaded: 0x%08x", assembly, (unsigned)status);
        return status;
    }
    started = (Triage)function;
    pin_this_module();  // loaded again, it must still know whose runtime this is
    return S_OK;
}

static HRESULT start(Message *message) {
    wchar_t path[path_chars];
    if (!find_hostfxr(path, message)) return HRESULT_FROM_WIN32(ERROR_MOD_NOT_FOUND);
    HMODULE hostfxr = LoadLibraryExW(path, NULL, LOAD_WITH_ALTERED_SEARCH_PATH);
    if (!hostfxr) {
        HRESULT result = HRESULT_FROM_WIN32(GetLastError());
        message_add(message, L"%ls could not be loaded: 0x%08x", path, (unsigned)result);
        return result;
    }
    SetErrorWriter set_error_writer = (SetErrorWriter)(void *)function_of(hostfxr, "hostfxr_set_error_writer", message);
    Initialize initialize = (Initialize)(void *)function_of(hostfxr, "hostfxr_initialize_for_runtime_config", message);
    GetRuntimeDelegate get_delegate = (GetRuntimeDelegate)(void *)function_of(hostfxr, "hostfxr_get_runtime_delegate", message);
    Close close = (Close)(void *)function_of(hostfxr, "hostfxr_close", message);
    if (!set_error_writer || !initialize || !get_delegate || !close) return HRESULT_FROM_WIN32(ERROR_PROC_NOT_FOUND);

    Message errors = {{0}};
    error_target = &errors;
    ErrorWriter before = set_error_writer(keep_error);
    HRESULT result = load_entry(initialize, get_delegate, close, message);
    set_error_writer(before);  // it must not point here when this DLL is unloaded
    error_target = NULL;
    if (FAILED(result)) message_add(message, L"%ls", errors.text);
    return result;
}

static HRESULT join(HMODULE coreclr, const Request *request, Message *message) {
    wchar_t assembly[path_chars], argument[20];
    RuntimeHost *host;
    DWORD result = 0;
    GetRuntimeHost get_host = (GetRuntimeHost)(void *)function_of(coreclr, "GetCLRRuntimeHost", message);
    if (!get_host || !beside_this_module(ASSEMBLY L".dll", assembly)) return E_UNEXPECTED;
    HRESULT status = get_host(&runtime_host_4, (void **)&host);
    if (SUCCEEDED(status)) {
        _snwprintf(argument, 20, L"%llx", (unsigned long long)(uintptr_t)request);
        status = host->vtbl->execute_in_default_domain(host, assembly, TYPE, L"Run", argument, &result);
        host->vtbl->release(host);
    }
    if (SUCCEEDED(status)) return (HRESULT)result;
    message_add(message, L"the .NET runtime in this debugger could not run %ls: 0x%08x; it has to be .NET 8 or later", assembly, (unsigned)status);
    return status;
}

static HRESULT call_started(const Request *request, Message *message) {
    HRESULT result = started(request);
    if (!sos_was_first && sos_is_shut_out())
        message_add(message, L"SOS came after !triage had started .NET here, and its managed commands may find no place for theirs. "
                             L"To have both, start the debugger anew and use an SOS command first, or !triage -outofproc");
    return result;
}

HRESULT runtime_call(IDebugClient *client, const Request *request, Message *message) {
    if (started) return call_started(request, message);
    if (!GetModuleHandleW(L"coreclr.dll")) sos_start_runtime(client);
    HMODULE coreclr = GetModuleHandleW(L"coreclr.dll");
    if (coreclr) return join(coreclr, request, message);
    sos_was_first = GetModuleHandleW(L"sos.dll") != NULL;
    HRESULT result = start(message);
    return FAILED(result) ? result : call_started(request, message);
}
