using System.Globalization;
using System.Reflection;
using System.Runtime.InteropServices;
using HangTriage.DbgEng.Engine;

namespace HangTriage.DbgEng;

/// <summary>What the native shim (native/triage.c) calls.</summary>
public static class EntryPoint
{
    /// <param name="client">The IDebugClient of the command; the reference stays the caller's.</param>
    /// <param name="arguments">What the user typed behind !triage, zero-terminated.</param>
    /// <returns>An HRESULT. Nothing is thrown across the boundary.</returns>
    [UnmanagedCallersOnly]
    public static int Triage(nint client, nint arguments)
        => RunIsolated(client, Marshal.PtrToStringUTF8(arguments) ?? string.Empty);

    /// <summary>
    /// The door where .NET runs in the debugger already (SOS has started it) and the shim has joined it: the runtime
    /// then loads this assembly among the host's own. It loads itself again in a context of its own, where its
    /// ClrMD does not meet the host's.
    /// </summary>
    /// <param name="argument">The two pointers of <see cref="Triage"/> in hexadecimal, parted by ';'.</param>
    public static int Run(string argument)
    {
        ArgumentNullException.ThrowIfNull(argument);
        nint[] pointers = [.. argument.Split(';').Select(text => nint.Parse(text, NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture))];
        Assembly own = IsolatedContext.Load(typeof(EntryPoint).Assembly);
        MethodInfo run = own.GetType(typeof(EntryPoint).FullName!)!.GetMethod(nameof(RunIsolated), BindingFlags.Static | BindingFlags.NonPublic)!;
        return (int)run.Invoke(null, [pointers[0], Marshal.PtrToStringUTF8(pointers[1]) ?? string.Empty])!;
    }

    private static int RunIsolated(nint client, string arguments)
    {
        DebugSession? session = null;
        try
        {
            session = DebugSession.Of(client);
            return new TriageCommand(session).Run(arguments);
        }
#pragma warning disable CA1031 // An exception that left here would end the debugger.
        catch (Exception e)
#pragma warning restore CA1031
        {
            return Report(session, e);
        }
    }

    private static int Report(DebugSession? session, Exception error)
    {
        if (session is not null)
        {
            using EngineOutput output = new(session.Control, EngineOutput.Error);
            output.WriteLine($"triage: internal error: {error.GetType().Name}: {error.Message.ReplaceLineEndings(" ")}");
        }

        return HResult.Fail;
    }
}
