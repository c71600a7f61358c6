// A stand-in for SOS in the debugger: an extension "sos" whose command "ext" starts .NET as SOS does, by coreclr_initialize,
// from the folder that the variable STANDIN_DOTNET names. It prints "sos: .NET runs" or the result that says why not.
#include <initguid.h>
#include <stdio.h>
#include <stdlib.h>
#include <windows.h>
#include <dbgeng.h>

#define LIST_BYTES 262144
#define EXPORT __declspec(dllexport)

typedef int(__cdecl *Initialize)(const char *program, const char *domain, int count, const char **names, const char **values, void **host, unsigned *id);

static void *host;

static void say(IDebugClient *client, const char *format, unsigned long value) {
    IDebugControl *control;
    if (FAILED(client->lpVtbl->QueryInterface(client, &IID_IDebugControl, (void **)&control))) return;
    control->lpVtbl->Output(control, DEBUG_OUTPUT_NORMAL, format, value);
    control->lpVtbl->Release(control);
}

// Every library of the folder, parted by semicolons.
static BOOL list_libraries(const char *folder, char *list) {
    char pattern[MAX_PATH];
    WIN32_FIND_DATAA entry;
    size_t used = 0;
    snprintf(pattern, sizeof pattern, "%s\\*.dll", folder);
    HANDLE search = FindFirstFileA(pattern, &entry);
    if (search == INVALID_HANDLE_VALUE) return FALSE;
    do {
        used += snprintf(list + used, LIST_BYTES - used, "%s\\%s;", folder, entry.cFileName);
    } while (used < LIST_BYTES && FindNextFileA(search, &entry));
    FindClose(search);
    return used < LIST_BYTES;
}

static unsigned long start_dotnet(void) {
    static char list[LIST_BYTES], folder[MAX_PATH], path[2 * MAX_PATH];
    const char *names[] = {"TRUSTED_PLATFORM_ASSEMBLIES"}, *values[] = {list};
    unsigned domain;
    DWORD length = GetEnvironmentVariableA("STANDIN_DOTNET", folder, sizeof folder);
    if (!length || length >= sizeof folder || !list_libraries(folder, list)) return HRESULT_FROM_WIN32(ERROR_PATH_NOT_FOUND);
    snprintf(path, sizeof path, "%s\\coreclr.dll", folder);
    HMODULE coreclr = LoadLibraryExA(path, NULL, LOAD_WITH_ALTERED_SEARCH_PATH);
    Initialize initialize = coreclr ? (Initialize)(void *)GetProcAddress(coreclr, "coreclr_initialize") : NULL;
    if (!initialize) return HRESULT_FROM_WIN32(GetLastError());
    return (unsigned long)initialize("engine.exe", "sos", 1, names, values, &host, &domain);
}

EXPORT HRESULT CALLBACK ext(IDebugClient *client, PCSTR arguments) {
    (void)arguments;
    unsigned long result = host ? S_OK : start_dotnet();
    say(client, SUCCEEDED((HRESULT)result) ? "sos: .NET runs\n" : "sos: .NET does not start: 0x%08lx\n", result);
    return (HRESULT)result;
}

EXPORT HRESULT CALLBACK DebugExtensionInitialize(ULONG *version, ULONG *flags) {
    *version = DEBUG_EXTENSION_VERSION(1, 0);
    *flags = 0;
    return S_OK;
}
