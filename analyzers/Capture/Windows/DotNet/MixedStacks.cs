using HangTriage.Capture.Managed;
using HangTriage.Capture.Managed.Snapshots;
using HangTriage.Facts;

namespace HangTriage.Capture.Windows.DotNet;

/// <summary>Joins the two halves of a thread's stack: native frames by unwind data, managed ones by the runtime's own walker.</summary>
internal static class MixedStacks
{
    /// <summary>The thread with what the runtime says of it, if it is one of the runtime's.</summary>
    public static ThreadFacts AddTo(ThreadFacts thread, ManagedReading reading)
        => !reading.Threads.TryGetValue(thread.OsId, out ManagedThread? managed)
            ? thread
            : thread with
            {
                ManagedId = managed.ManagedId,
                Name = thread.Name.TryGet(out string? name) && name.Length > 0 ? thread.Name : managed.Name,
                Stack = Join(thread.Stack, managed.Stack),
            };

    /// <summary>
    /// Each frame where its stack pointer puts it. A frame of a precompiled managed method is in both halves, and is the
    /// runtime's. What the native walk says from its first frame outside every module, or its first guess, is left out:
    /// the runtime knows what is there.
    /// </summary>
    public static StackFacts Join(StackFacts native, StackFacts managed)
    {
        if (managed.Frames.Count == 0)
        {
            return native;
        }

        HashSet<ulong> methods = [.. managed.Frames.Where(IsMethod).Select(frame => frame.Sp.Value)];
        FrameFacts[] unwound = [.. native.Frames.TakeWhile(frame => frame.Kind != FrameKind.Unknown && frame.Trust != Trust.Scanned)];
        Queue<FrameFacts> outside = new(unwound.Where(frame => !methods.Contains(frame.Sp.Value)));
        List<FrameFacts> frames = [];
        List<FrameFacts> pending = [];
        foreach (FrameFacts frame in managed.Frames)
        {
            // The runtime lists the marker of a call before the method that made it, and keeps it within that method's frame.
            pending.Add(frame);
            if (IsMethod(frame))
            {
                Place(frame.Sp.Value);
            }
        }

        if (pending.Count > 0)
        {
            Place(pending[0].Sp.Value);
        }

        frames.AddRange(outside);
        return new StackFacts([.. frames.Select(AsPlaced)], managed.Stopped ?? Hole(native, unwound.Length));

        void Place(ulong sp)
        {
            while (outside.TryPeek(out FrameFacts? next) && next.Sp.Value < sp)
            {
                frames.Add(outside.Dequeue());
            }

            frames.AddRange(pending);
            pending.Clear();
        }
    }

    /// <summary>Where the native walk lost its way before it came to managed code, frames are missing between the halves.</summary>
    private static Gap? Hole(StackFacts native, int unwound)
        => unwound < native.Frames.Count && native.Frames[unwound] is { Trust: Trust.Scanned, Sp: var sp }
            ? new Gap("native frames above the managed ones", $"those from {sp} on were not found by unwind data")
            : null;

    // Only the innermost frame of all is read from the registers.
    private static FrameFacts AsPlaced(FrameFacts frame, int index)
        => index > 0 && frame.Trust == Trust.Read ? frame with { Trust = Trust.Derived } : frame;

    private static bool IsMethod(FrameFacts frame) => frame.Kind == FrameKind.Managed;
}
