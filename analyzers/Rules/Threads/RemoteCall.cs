using System.Collections.Frozen;
using HangTriage.Facts;

namespace HangTriage.Rules.Threads;

/// <summary>A call that a thread has made through COM, RPC or a port, and whose answer it waits for.</summary>
/// <param name="Entry">The function through which the program made it.</param>
/// <param name="Caller">Who called that function; null where the stack ends there.</param>
/// <param name="What">As "a COM call".</param>
internal sealed record RemoteCall(FrameFacts Entry, FrameFacts? Caller, string What)
{
    // The client's side; a server that waits for requests is in none of these. The names in rpcrt4 are exports, those of
    // COM need symbols, but COM makes its calls through rpcrt4.
    private static readonly FrozenSet<string> s_rpcCalls = new[]
    {
        "NdrClientCall", "NdrClientCall2", "NdrClientCall3", "NdrClientCall4", "Ndr64AsyncClientCall", "NdrAsyncClientCall",
        "NdrSendReceive", "NdrNsSendReceive", "I_RpcSendReceive", "I_RpcReceive", "I_RpcSend", "I_RpcGetBuffer", "I_RpcNegotiateTransferSyntax",
    }.ToFrozenSet(StringComparer.Ordinal);

    private static readonly FrozenSet<string> s_comCalls = new[]
    {
        "NdrProxySendReceive", "ThreadSendReceive", "MTAThreadWaitForCall", "SendReceive2", "SendReceive",
        "CoCreateInstance", "CoCreateInstanceEx", "CoGetClassObject", "CoUnmarshalInterface",
    }.ToFrozenSet(StringComparer.Ordinal);

    private static readonly FrozenSet<string> s_portCalls = new[]
    {
        "NtAlpcSendWaitReceivePort", "ZwAlpcSendWaitReceivePort", "NtRequestWaitReplyPort", "ZwRequestWaitReplyPort",
    }.ToFrozenSet(StringComparer.Ordinal);

    private static readonly string[] s_layers = ["rpcrt4.dll", "combase.dll", "ole32.dll", "user32.dll"];

    /// <summary>
    /// A wait on top, and below it the layers of the system alone down to the call. Code of another module in between
    /// means that the call is being answered, or calls back, and that code waits.
    /// </summary>
    public static RemoteCall? Of(IReadOnlyList<FrameFacts> frames)
    {
        if (frames.Count == 0
            || NativeCalls.StateOf(frames[0]) is not (ThreadActivity.WaitsForObject or ThreadActivity.WaitsForIo or ThreadActivity.WaitsForMessage))
        {
            return null;
        }

        int depth = frames.TakeWhile(IsLayer).Count();
        FrameFacts[] layers = [.. frames.Take(depth)];
        int entry = Array.FindLastIndex(layers, frame => IsCall(frame, s_rpcCalls) || IsCall(frame, s_comCalls));
        if (entry < 0 || layers.Take(entry).Any(NativeCalls.EntersLock))
        {
            return null;
        }

        bool isCom = layers.Take(entry + 1).Any(frame => IsCall(frame, s_comCalls));
        return new RemoteCall(layers[entry], frames.ElementAtOrDefault(depth), isCom ? "a COM call" : "a remote procedure call");
    }

    /// <summary>
    /// A wait in a port's own system call. A server that waits for requests stands there too, so it is a call only for a
    /// thread that others wait for.
    /// </summary>
    public static RemoteCall? ThroughPort(IReadOnlyList<FrameFacts> frames)
        => frames is [{ Method: { } method } top, ..] && s_portCalls.Contains(method)
            ? new RemoteCall(top, frames.FirstOrDefault(frame => !IsLayer(frame)), "a request through a port")
            : null;

    private static bool IsCall(FrameFacts frame, FrozenSet<string> names)
        => frame.Kind == FrameKind.Native && !SystemLayers.Contain(frame) && frame.Method is { } method && names.Contains(WithoutType(method));

    private static string WithoutType(string method)
        => method.LastIndexOf("::", StringComparison.Ordinal) is int at and >= 0 ? method[(at + 2)..] : method;

    private static bool IsLayer(FrameFacts frame)
        => SystemLayers.Contain(frame) || s_layers.Contains(frame.Module, StringComparer.OrdinalIgnoreCase);
}
