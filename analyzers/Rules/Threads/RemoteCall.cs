using HangTriage.Facts;
using HangTriage.Facts.Calls;

namespace HangTriage.Rules.Threads;

/// <summary>A call that a thread has made through COM, RPC or a port, and whose answer it waits for.</summary>
/// <param name="Entry">The function through which the program made it.</param>
/// <param name="Caller">Who called that function; null where the stack ends there.</param>
/// <param name="What">As "a COM call".</param>
internal sealed record RemoteCall(FrameFacts Entry, FrameFacts? Caller, string What)
{
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

        int depth = frames.TakeWhile(WindowsModules.IsRemoteLayer).Count();
        FrameFacts[] layers = [.. frames.Take(depth)];
        int entry = Array.FindLastIndex(layers, frame => RemoteCalls.Find(frame) is not null);
        if (entry < 0 || layers.Take(entry).Any(NativeCalls.EntersLock))
        {
            return null;
        }

        bool isCom = layers.Take(entry + 1).Any(frame => RemoteCalls.Find(frame)?.Meaning == CallMeaning.CallsCom);
        return new RemoteCall(layers[entry], frames.ElementAtOrDefault(depth), isCom ? "a COM call" : "a remote procedure call");
    }

    /// <summary>
    /// A wait in a port's own system call. A server that waits for requests stands there too, so it is a call only for a
    /// thread that others wait for.
    /// </summary>
    public static RemoteCall? ThroughPort(IReadOnlyList<FrameFacts> frames)
        => frames is [{ } top, ..] && WindowsCalls.Find(top.Method) is { Meaning: CallMeaning.WaitsForObject, Wait: WaitKind.Reply }
            ? new RemoteCall(top, frames.FirstOrDefault(frame => !WindowsModules.IsRemoteLayer(frame)), "a request through a port")
            : null;
}
