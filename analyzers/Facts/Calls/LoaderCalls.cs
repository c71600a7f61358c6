namespace HangTriage.Facts.Calls;

/// <summary>
/// Where the loader of Windows is entered from outside. A wait below one of these, with ntdll frames alone between, is the
/// loader's own. Where it calls into libraries on such an occasion, the row's title names the occasion.
/// </summary>
public static class LoaderCalls
{
    /// <summary>Where a new thread begins.</summary>
    public const string ThreadStart = "LdrInitializeThunk";

    public const string ThreadExit = "LdrShutdownThread";
    public const string ProcessExit = "LdrShutdownProcess";

    private const string Documented = "documented under its name in kernel32 (LoadLibraryEx, FreeLibrary, ExitThread, ExitProcess, GetProcAddress)";
    private const string Headers = "the public phnt headers of ntdll";

    public static CallTable Table { get; } = new(
    [
        Entry("LdrLoadDll", Documented) with { Title = "the loading of a library" },
        Entry("LdrUnloadDll", Documented) with { Title = "the unloading of a library" },
        Entry(ThreadStart, Headers) with { Title = "thread attach" },
        Entry(ThreadExit, Documented) with { Title = "thread detach" },
        Entry(ProcessExit, Documented) with { Title = "process detach" },
        .. new[]
        {
            "LdrGetDllHandle", "LdrGetDllHandleEx", "LdrGetDllHandleByName", "LdrGetDllHandleByMapping", "LdrGetProcedureAddress",
            "LdrGetProcedureAddressEx", "LdrGetProcedureAddressForCaller", "LdrAddRefDll", "LdrLockLoaderLock",
            "LdrDisableThreadCalloutsForDll", "LdrEnumerateLoadedModules",
        }.Select(name => Entry(name, Headers)),
    ]);

    /// <summary>The row of the function that a frame is in; null for other functions, and outside ntdll.</summary>
    public static KnownCall? Find(FrameFacts frame) => WindowsModules.IsNtdll(frame) ? Table.Find(frame.Method) : null;

    private static KnownCall Entry(string name, string source) => new(name, CallMeaning.EntersLoader, source) { Module = WindowsModules.Ntdll };
}
