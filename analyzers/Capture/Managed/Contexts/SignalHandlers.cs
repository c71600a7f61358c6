using HangTriage.Capture.Managed.Pool;
using HangTriage.Capture.Managed.Tasks;
using HangTriage.Facts;
using HangTriage.Facts.Calls;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Contexts;

/// <summary>Whether a program has asked to be told of Ctrl+C, of signals of the system, or of its end, which SIGTERM brings.</summary>
/// <remarks>
/// Fields of dotnet/runtime: Console.cs (s_cancelCallbacks), PosixSignalRegistration.Unix.cs (s_registrations), AppDomain.cs (ProcessExit
/// of the one domain) and AppContext.cs (before .NET 10); tried on .NET 10.
/// </remarks>
internal static class SignalHandlers
{
    private const string What = "signal handlers";
    private const int MostHandlers = 1_000;

    public static Known<bool> Read(ClrRuntime runtime)
        => Attempt.Read(What, () =>
        {
            StaticObjects statics = new(runtime);
            return Known.Derived(HasConsoleHandler(runtime) || HasRegistration(statics) || HandlesExit(statics));
        });

    private static bool HasConsoleHandler(ClrRuntime runtime)
        => runtime.EnumerateModules()
            .Where(module => Path.GetFileNameWithoutExtension(module.Name) is "System.Console")
            .Select(module => module.GetTypeByName("System.Console"))
            .Any(type => type?.GetStaticFieldByName("s_cancelCallbacks") is { } field && runtime.AppDomains.Any(domain => !field.ReadObject(domain).IsNull));

    private static bool HandlesExit(StaticObjects statics)
        => IsOfProgram(statics.Find("System.AppDomain", "s_domain").Reference("ProcessExit")) || IsOfProgram(statics.Find("System.AppContext", "ProcessExit"));

    private static bool IsOfProgram(ClrObject handlers)
        => DelegateMethod.TargetsOf(handlers, MostHandlers).Any(IsOfProgram);

    private static bool IsOfProgram(ClrDelegateTarget target) => !Frameworks.IsOwn(target.Method?.Type?.Name ?? string.Empty);

    private static bool HasRegistration(StaticObjects statics)
        => statics.Find("System.Runtime.InteropServices.PosixSignalRegistration", "s_registrations").Number("_count") > 0;
}
