using System.Runtime.ExceptionServices;
using HangTriage.Capture.Managed.Reading;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed;

/// <summary>The frames of each thread, innermost first: walked once, since the runtime's stack walker is slow.</summary>
internal sealed class ThreadFrames(CaptureContext context)
{
    // Of all threads together: what is more is walked anew each time.
    private const int MostKept = 1_000_000;

    private readonly Dictionary<ulong, (IReadOnlyList<ClrStackFrame> Frames, ExceptionDispatchInfo? Failure)> _known = [];
    private int _kept;

    /// <summary>One more than the limit of a thread, where there are more. Where the walk failed it throws behind the last frame.</summary>
    public IEnumerable<ClrStackFrame> Of(ClrThread thread)
    {
        if (!_known.TryGetValue(thread.Address, out (IReadOnlyList<ClrStackFrame> Frames, ExceptionDispatchInfo? Failure) walk))
        {
            walk = Walk(thread);
            if (_kept < MostKept)
            {
                _kept += walk.Frames.Count;
                _known.Add(thread.Address, walk);
            }
        }

        foreach (ClrStackFrame frame in walk.Frames)
        {
            yield return frame;
        }

        walk.Failure?.Throw();
    }

    private (IReadOnlyList<ClrStackFrame> Frames, ExceptionDispatchInfo? Failure) Walk(ClrThread thread)
    {
        List<ClrStackFrame> frames = [];

        // To name a method the library looks behind its description, where the process itself may have no memory. A stack that is lost is
        // noted by who reads it, and what could not be walked by who asks for the frames.
        using OptionalReads optional = new(thread.Runtime.DataTarget.DataReader);
        try
        {
            foreach (ClrStackFrame frame in thread.EnumerateStackTrace(includeContext: false, maxFrames: context.Limits.FramesPerThread + 1))
            {
                context.Step();
                frames.Add(frame);
            }
        }
        catch (Exception e) when (e is not (OperationCanceledException or OutOfMemoryException))
        {
            return (frames, ExceptionDispatchInfo.Capture(e));
        }

        return (frames, null);
    }
}
