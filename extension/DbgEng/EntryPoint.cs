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
        => Run(client, Marshal.PtrToStringUTF8(arguments) ?? string.Empty);

    internal static int Run(nint client, string arguments)
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
