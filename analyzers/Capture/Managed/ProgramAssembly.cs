using HangTriage.Facts;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed;

/// <summary>
/// The assembly that a host such as `dotnet` runs. The runtime loads its own core library first, and the program right behind it:
/// startup hooks and references come later.
/// </summary>
internal static class ProgramAssembly
{
    private const string CoreLibrary = "System.Private.CoreLib.dll";
    private static readonly string[] s_hosts = ["dotnet", "dotnet.exe"];

    /// <summary>Its file name; null where that is not in the input.</summary>
    public static string? Of(ClrRuntime runtime, CaptureContext context)
    {
        using OptionalReads optional = new(runtime.DataTarget.DataReader);
        try
        {
            return runtime.AppDomains is [var domain, ..] && Of(domain) is { } module && FileName(module.Name) is { Length: > 0 } program
                ? program[..Math.Min(program.Length, context.Limits.NameLength)] : null;
        }
        catch (Exception e) when (e is not (OperationCanceledException or OutOfMemoryException))
        {
            return null;
        }
    }

    /// <summary>Its module; null where that is not in the input.</summary>
    public static ClrModule? Of(ClrAppDomain domain)
        => domain.Modules is [var core, var program, ..] && FileName(core.Name) == CoreLibrary && !string.IsNullOrEmpty(program.Name)
            ? program : null;

    /// <summary>As "dotnet web.dll" where the process has the name of such a host; else its own name.</summary>
    public static Known<string> AddTo(Known<string> processName, string? program)
        => program is not null && processName.TryGet(out string? name) && s_hosts.Contains(name, StringComparer.OrdinalIgnoreCase)
            ? Known.Derived($"dotnet {program}")
            : processName;

    // Of a path of either system.
    private static string? FileName(string? path) => path?[(path.LastIndexOfAny(['/', '\\']) + 1)..];
}
