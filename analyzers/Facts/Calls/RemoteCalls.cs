namespace HangTriage.Facts.Calls;

/// <summary>
/// The functions of RPC and COM that wait for an answer: the client's side; a server that waits for requests is in none of
/// them. The names in rpcrt4 are exports, most of those of COM need symbols, but COM makes its calls through rpcrt4.
/// </summary>
public static class RemoteCalls
{
    private const string Rpc = "rpcndr.h, rpcdcep.h: exports of rpcrt4";
    private const string Com = "objbase.h, or Microsoft's public symbols of combase and ole32";

    public static CallTable Table { get; } = new(
    [
        .. Each(
            CallMeaning.CallsRpc, Rpc,
            "NdrClientCall", "NdrClientCall2", "NdrClientCall3", "NdrClientCall4", "Ndr64AsyncClientCall", "NdrAsyncClientCall",
            "NdrSendReceive", "NdrNsSendReceive", "I_RpcSendReceive", "I_RpcReceive", "I_RpcSend", "I_RpcGetBuffer",
            "I_RpcNegotiateTransferSyntax"),
        .. Each(
            CallMeaning.CallsCom, Com,
            "NdrProxySendReceive", "ThreadSendReceive", "MTAThreadWaitForCall", "SendReceive2", "SendReceive", "CoCreateInstance",
            "CoCreateInstanceEx", "CoGetClassObject", "CoUnmarshalInterface"),
    ]);

    /// <summary>The row of the function that a frame is in, whatever its class; null for other functions, and in the system's layers.</summary>
    public static KnownCall? Find(FrameFacts frame)
    {
        ArgumentNullException.ThrowIfNull(frame);
        return frame.Kind == FrameKind.Native && frame.Method is { } method && !SystemLayers.Contain(frame)
            ? Table.Find(CallNames.WithoutClass(method))
            : null;
    }

    private static IEnumerable<KnownCall> Each(CallMeaning meaning, string source, params string[] names)
        => names.Select(name => new KnownCall(name, meaning, source) { Wait = WaitKind.Reply, End = CallEnd.Never });
}
