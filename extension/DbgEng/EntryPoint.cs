using System.Globalization;
using System.Reflection;
using System.Runtime.InteropServices;
using HangTriage.DbgEng.Engine;

namespace HangTriage.DbgEng;

/// <summary>What the native shim (native/runtime.c) calls. Both doors return an HRESULT and let no exception out.</summary>
public static unsafe class EntryPoint
{
    /// <param name="request">A <see cref="TriageRequest"/>.</param>
    [UnmanagedCallersOnly]
    public static int Triage(nint request) => RunIsolated(request);

    /// <summary>
    /// The door where .NET runs in the debugger already (SOS has started it) and the shim has joined it: the runtime
    /// then loads this assembly among the host's own. It loads itself again in a context of its own, where its
    /// ClrMD does not meet the host's.
    /// </summary>
    /// <param name="request">The pointer of <see cref="Triage"/> in hexadecimal.</param>
    public static int Run(string request)
    {
        try
        {
            Assembly own = IsolatedContext.Load(typeof(EntryPoint).Assembly);
            MethodInfo run = own.GetType(typeof(EntryPoint).FullName!)!.GetMethod(nameof(RunIsolated), BindingFlags.Static | BindingFlags.NonPublic)!;
            return (int)run.Invoke(null, [nint.Parse(request, NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture)])!;
        }
#pragma warning disable CA1031 // An exception that left here would end the debugger.
        catch (Exception e)
#pragma warning restore CA1031
        {
            return e.HResult;
        }
    }

    private static int RunIsolated(nint request)
    {
        DebugSession? session = null;
        try
        {
            TriageRequest* asked = (TriageRequest*)request;
            session = DebugSession.Of(asked->Client);
            return new TriageCommand(session, *asked).Run();
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
            using EngineOutput output = EngineOutput.Errors(session);
            output.WriteLine($"triage: internal error: {error.GetType().Name}: {error.Message.ReplaceLineEndings(" ")}");
        }

        return HResult.Fail;
    }
}
