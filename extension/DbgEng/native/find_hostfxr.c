// Where .NET is installed: DOTNET_ROOT, then the registry, then the Program Files folder.
#include "find_hostfxr.h"

#include <wchar.h>

enum { oldest_major = 8 };

#if defined(_M_ARM64) || defined(__aarch64__)
#define ARCHITECTURE L"arm64"
#elif defined(_WIN64)
#define ARCHITECTURE L"x64"
#else
#define ARCHITECTURE L"x86"
#endif

#define INSTALL_KEY L"SOFTWARE\\dotnet\\Setup\\InstalledVersions\\" ARCHITECTURE

typedef struct {
    unsigned part[3];
    BOOL release;  // a preview of a version comes before it
} Version;

static BOOL parse_version(const wchar_t *text, Version *version) {
    for (int i = 0; i < 3; i++) {
        wchar_t *end;
        if (*text < L'0' || *text > L'9') return FALSE;
        version->part[i] = wcstoul(text, &end, 10);
        if (i < 2 && *end != L'.') return FALSE;
        text = end + (i < 2);
    }
    version->release = *text == 0;
    return *text == 0 || *text == L'-';
}

static BOOL is_newer(const Version *a, const Version *b) {
    for (int i = 0; i < 3; i++)
        if (a->part[i] != b->part[i]) return a->part[i] > b->part[i];
    return a->release && !b->release;
}

static BOOL join(wchar_t path[path_chars], const wchar_t *first, const wchar_t *second, const wchar_t *third) {
    return _snwprintf(path, path_chars - 1, L"%ls%ls%ls", first, second, third) >= 0;
}

static BOOL newest_below(const wchar_t *root, wchar_t path[path_chars]) {
    wchar_t fxr[path_chars] = {0}, candidate[path_chars] = {0};
    Version best = {0}, version;
    WIN32_FIND_DATAW entry;
    if (!join(fxr, root, L"\\host\\fxr\\", L"") || !join(candidate, fxr, L"*", L"")) return FALSE;
    HANDLE search = FindFirstFileW(candidate, &entry);
    if (search == INVALID_HANDLE_VALUE) return FALSE;
    do {
        if (!parse_version(entry.cFileName, &version) || version.part[0] < oldest_major || !is_newer(&version, &best)) continue;
        if (!join(candidate, fxr, entry.cFileName, L"\\hostfxr.dll")) continue;
        if (GetFileAttributesW(candidate) == INVALID_FILE_ATTRIBUTES) continue;
        best = version;
        wcscpy(path, candidate);
    } while (FindNextFileW(search, &entry));
    FindClose(search);
    return best.part[0] != 0;
}

static BOOL from_environment(const wchar_t *variable, const wchar_t *below, wchar_t root[path_chars]) {
    wchar_t value[path_chars];
    DWORD length = GetEnvironmentVariableW(variable, value, path_chars);
    return length > 0 && length < path_chars && join(root, value, below, L"");
}

static BOOL from_registry(DWORD view, wchar_t root[path_chars]) {
    HKEY key;
    DWORD type, bytes = (path_chars - 1) * sizeof *root;
    if (RegOpenKeyExW(HKEY_LOCAL_MACHINE, INSTALL_KEY, 0, KEY_QUERY_VALUE | view, &key)) return FALSE;
    LSTATUS status = RegQueryValueExW(key, L"InstallLocation", NULL, &type, (BYTE *)root, &bytes);
    RegCloseKey(key);
    if (status != ERROR_SUCCESS || type != REG_SZ) return FALSE;
    root[bytes / sizeof *root] = 0;  // the registry does not promise a terminator
    return root[0] != 0;
}

static BOOL look_in(BOOL known, const wchar_t *name, const wchar_t *root, wchar_t path[path_chars], Message *message) {
    if (!known)
        message_add(message, L" %ls (not set)", name);
    else if (newest_below(root, path))
        return TRUE;
    else
        message_add(message, L" %ls (%ls)", name, root);
    return FALSE;
}

BOOL find_hostfxr(wchar_t path[path_chars], Message *message) {
    wchar_t root[path_chars] = {0};
    message_add(message, L".NET 8 or later (" ARCHITECTURE L") was not found; install the .NET Runtime from "
                         L"https://dotnet.microsoft.com/download or set DOTNET_ROOT. Looked in:");
    if (look_in(from_environment(L"DOTNET_ROOT", L"", root), L"DOTNET_ROOT", root, path, message) ||
        look_in(from_registry(KEY_WOW64_64KEY, root), L"HKLM\\" INSTALL_KEY, root, path, message) ||
        look_in(from_registry(KEY_WOW64_32KEY, root), L"its 32-bit view", root, path, message) ||
        look_in(from_environment(L"ProgramFiles", L"\\dotnet", root), L"Program Files", root, path, message)) {
        message->text[0] = 0;
        return TRUE;
    }
    return FALSE;
}
