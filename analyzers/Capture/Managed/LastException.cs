using HangTriage.Capture.Managed.Sources;
using HangTriage.Facts;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed;

/// <summary>The exception that the runtime keeps for a thread: the last that it threw, which may have been handled long ago.</summary>
internal static class LastException
{
    /// <summary>Null where there is none, and where it cannot be read.</summary>
    public static ThrownException? Of(ClrThread? thread, SourceLines sources, CaptureContext context)
    {
        try
        {
            return thread?.CurrentException is { Type.Name: { Length: > 0 } type } exception
                ? new ThrownException(
                    context.Limits.Cut(type),
                    [
                        .. exception.StackTrace.Take(context.Limits.FramesPerThread).Select((frame, index) =>
                            ManagedStack.Frame(frame, index == 0 ? Trust.Read : Trust.Derived, sources, context.Limits.NameLength)),
                    ])
                : null;
        }
        catch (Exception e) when (e is not (OperationCanceledException or OutOfMemoryException))
        {
            return null;
        }
    }
}
