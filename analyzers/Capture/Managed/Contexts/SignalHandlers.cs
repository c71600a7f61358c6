using HangTriage.Facts;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Contexts;

/// <summary>Whether a program has asked to be told of Ctrl+C or of signals of the system.</summary>
/// <remarks>Fields of dotnet/runtime: Console.cs (s_cancelCallbacks), PosixSignalRegistration.Unix.cs (s_registrations); tried on .NET 10.</remarks>
internal static class SignalHandlers
{
    private const string What = "signal handlers";

    public static Known<bool> Read(ClrRuntime runtime)
    {
        // A core with the heap alone has not all metadata.
        using OptionalReads optional = new(runtime.DataTarget.DataReader);
        return Attempt.Read(What, () => Known.Derived(HasConsoleHandler(runtime) || HasRegistration(runtime)));
    }

    private static bool HasConsoleHandler(ClrRuntime runtime)
        => runtime.EnumerateModules()
            .Where(module => Path.GetFileNameWithoutExtension(module.Name) is "System.Console")
            .Select(module => module.GetTypeByName("System.Console"))
            .Any(type => !ObjectOf(type, "s_cancelCallbacks", runtime).IsNull);

    private static bool HasRegistration(ClrRuntime runtime)
        => ObjectOf(runtime.BaseClassLibrary?.GetTypeByName("System.Runtime.InteropServices.PosixSignalRegistration"), "s_registrations", runtime) is { IsNull: false } registrations
            && registrations.TryReadField("_count", out int count)
            && count > 0;

    private static ClrObject ObjectOf(ClrType? type, string field, ClrRuntime runtime)
        => type?.GetStaticFieldByName(field) is { } found && found.ReadObject(runtime.AppDomains[0]) is { IsValid: true } value ? value : default;
}
