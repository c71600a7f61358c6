using System.Runtime.InteropServices;
using System.Runtime.InteropServices.Marshalling;

namespace HangTriage.DbgEng.Engine;

/// <summary>The interfaces of one debugger client that the extension uses. This is the one place that knows how to get at the engine.</summary>
internal sealed class DebugSession
{
    private const uint OutputCallbacksAreDmlAware = 19;

    private static readonly StrategyBasedComWrappers s_wrappers = new();

    private DebugSession(object client)
    {
        Control = (IDebugControl2)client;
        Memory = (IDebugDataSpaces)client;
        Objects = (IDebugSystemObjects2)client;
        Advanced = (IDebugAdvanced2)client;
        Symbols = (IDebugSymbols2)client;
    }

    public IDebugControl2 Control { get; }

    public IDebugDataSpaces Memory { get; }

    public IDebugSystemObjects2 Objects { get; }

    public IDebugAdvanced2 Advanced { get; }

    public IDebugSymbols2 Symbols { get; }

    /// <param name="client">An IDebugClient; its reference stays the caller's.</param>
    /// <exception cref="InvalidCastException">The engine lacks one of the interfaces.</exception>
    public static DebugSession Of(nint client)
        => new(s_wrappers.GetOrCreateObjectForComInstance(client, CreateObjectFlags.UniqueInstance));

    /// <summary>Whether the user has asked to stop. Asking forgets it.</summary>
    public bool TakeInterrupt() => Control.GetInterrupt() == HResult.Ok;

    /// <summary>Whether what is printed for this session lands where links can be clicked.</summary>
    public unsafe bool AcceptsDml => Advanced.Request(OutputCallbacksAreDmlAware, null, 0, null, 0, null) == HResult.Ok;
}
