using HangTriage.Capture.Managed.Reading;
using HangTriage.Capture.Managed.Sources;
using HangTriage.Facts;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed;

/// <summary>The assembly that a host such as `dotnet` runs.</summary>
internal static class ProgramAssembly
{
    private static readonly string[] s_hosts = ["dotnet", "dotnet.exe"];

    /// <summary>Its file name; null where that is not in the input.</summary>
    public static string? Of(ClrRuntime runtime, CaptureContext context)
    {
        using OptionalReads optional = new(runtime.DataTarget.DataReader);
        try
        {
            return runtime.AppDomains is [var domain, ..] && ProgramModule.Of(domain) is { } module
                && ProgramModule.FileName(module) is { Length: > 0 } program
                ? program[..Math.Min(program.Length, context.Limits.NameLength)] : null;
        }
        catch (Exception e) when (e is not (OperationCanceledException or OutOfMemoryException))
        {
            return null;
        }
    }

    /// <summary>As "dotnet web.dll" where the process has the name of such a host; else its own name.</summary>
    public static Known<string> AddTo(Known<string> processName, string? program)
        => program is not null && processName.TryGet(out string? name) && s_hosts.Contains(name, StringComparer.OrdinalIgnoreCase)
            ? Known.Derived($"dotnet {program}")
            : processName;
}
