using HangTriage.Capture.Managed.Pool;
using HangTriage.Capture.Managed.Tasks;
using HangTriage.Facts;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Contexts;

/// <summary>Whether a program has asked to be told of Ctrl+C or of signals of the system.</summary>
/// <remarks>Fields of dotnet/runtime: Console.cs (s_cancelCallbacks), PosixSignalRegistration.Unix.cs (s_registrations); tried on .NET 10.</remarks>
internal static class SignalHandlers
{
    private const string What = "signal handlers";

    public static Known<bool> Read(ClrRuntime runtime)
        => Attempt.Read(What, () => Known.Derived(HasConsoleHandler(runtime) || HasRegistration(runtime)));

    private static bool HasConsoleHandler(ClrRuntime runtime)
        => runtime.EnumerateModules()
            .Where(module => Path.GetFileNameWithoutExtension(module.Name) is "System.Console")
            .Select(module => module.GetTypeByName("System.Console"))
            .Any(type => type?.GetStaticFieldByName("s_cancelCallbacks") is { } field && runtime.AppDomains.Any(domain => !field.ReadObject(domain).IsNull));

    private static bool HasRegistration(ClrRuntime runtime)
        => new StaticObjects(runtime).Find("System.Runtime.InteropServices.PosixSignalRegistration", "s_registrations").Number("_count") > 0;
}
