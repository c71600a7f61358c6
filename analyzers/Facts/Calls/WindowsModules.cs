namespace HangTriage.Facts.Calls;

/// <summary>The modules of Windows and .NET that frames are recognised by.</summary>
public static class WindowsModules
{
    public const string Ntdll = "ntdll.dll";
    public const string User32 = "user32.dll";

    private const string WindowSystemCalls = "win32u.dll";

    private static readonly string[] s_runtimes = ["coreclr.dll", "clr.dll"];
    private static readonly string[] s_remoteLayers = ["rpcrt4.dll", "combase.dll", "ole32.dll", User32];

    public static bool IsIn(FrameFacts frame, string module)
    {
        ArgumentNullException.ThrowIfNull(frame);
        return IsNamed(frame.Module, module);
    }

    public static bool IsNtdll(FrameFacts frame) => IsIn(frame, Ntdll);

    public static bool IsNtdll(string? module) => IsNamed(module, Ntdll);

    /// <summary>One of the two modules that make system calls.</summary>
    public static bool MakesSystemCalls(FrameFacts frame) => IsNtdll(frame) || IsIn(frame, WindowSystemCalls);

    /// <summary>A .NET runtime itself.</summary>
    public static bool IsRuntime(FrameFacts frame)
    {
        ArgumentNullException.ThrowIfNull(frame);
        return Array.Exists(s_runtimes, module => IsNamed(frame.Module, module));
    }

    /// <summary>What a call through RPC or COM goes through on its way to the system call.</summary>
    public static bool IsRemoteLayer(FrameFacts frame)
    {
        ArgumentNullException.ThrowIfNull(frame);
        return SystemLayers.Contain(frame) || Array.Exists(s_remoteLayers, module => IsNamed(frame.Module, module));
    }

    private static bool IsNamed(string? name, string module) => string.Equals(name, module, StringComparison.OrdinalIgnoreCase);
}
