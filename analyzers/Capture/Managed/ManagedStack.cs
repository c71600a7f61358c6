using HangTriage.Capture.Managed.Code;
using HangTriage.Capture.Managed.Sources;
using HangTriage.Facts;
using HangTriage.Facts.Calls;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed;

/// <summary>Reads the managed frames of a thread, innermost first, as the runtime's own stack walker finds them.</summary>
internal static class ManagedStack
{
    // ClrMD's, for a method whose assembly's metadata is missing.
    private const string NameOfUnknown = "{error}";

    /// <param name="thread">The thread.</param>
    /// <param name="walked">Its frames.</param>
    /// <param name="typesMissing">Why the walk may end early, with no word of its own; null where nothing speaks for it.</param>
    /// <param name="sources">Finds lines of source.</param>
    /// <param name="inlined">Finds the methods that optimised code has no frames of.</param>
    /// <param name="context">The limits.</param>
    public static StackFacts Read(
        ClrThread thread, ThreadFrames walked, string? typesMissing, SourceLines sources, InlinedCalls inlined, CaptureContext context)
    {
        int limit = context.Limits.FramesPerThread;
        List<FrameFacts> frames = [];
        ClrMethod? called = null;
        try
        {
            foreach (ClrStackFrame frame in walked.Of(thread))
            {
                context.Step();
                if (frames.Count == limit)
                {
                    return new StackFacts(frames, new Gap("managed stack", $"longer than the limit of {limit} frames"));
                }

                if (called is not null && frame is { Kind: ClrStackFrameKind.ManagedMethod, Method: { } caller })
                {
                    frames.AddRange(Missing(frame, caller, called, sources, inlined, limit - frames.Count, context.Limits.NameLength));
                }

                frames.Add(Frame(frame, frames.Count == 0 ? Trust.Read : Trust.Derived, sources, context.Limits.NameLength));
                called = frame.Method ?? called;
            }
        }
        catch (Exception e) when (e is not (OperationCanceledException or OutOfMemoryException))
        {
            return new StackFacts(frames, Attempt.Failed("managed stack", e));
        }

        string? stopped = typesMissing ?? (frames.Count == 0 ? "the runtime's stack walker found no frame" : null);
        return new StackFacts(frames, stopped is null ? null : new Gap("managed stack", stopped));
    }

    /// <summary>The runtime has made it for a call into native code or back: its caller stands for it.</summary>
    public static bool IsStub(ClrMethod? method) => Frameworks.IsStub(MethodName(method));

    /// <summary>"Namespace.Type.Method", with the types that a generic is made of where the runtime knows them.</summary>
    public static string? MethodName(ClrMethod? method)
    {
        if (method?.Name is not { Length: > 0 } name || name == NameOfUnknown)
        {
            return null;
        }

        // System.__Canon stands for every reference type in code that they share.
        return method.Type?.Name is { Length: > 0 } type
            ? $"{type.Replace("System.__Canon", "__Canon", StringComparison.Ordinal)}.{name}"
            : name;
    }

    // At the place of the frame that they were compiled into, the innermost first.
    private static IEnumerable<FrameFacts> Missing(
        ClrStackFrame frame, ClrMethod caller, ClrMethod called, SourceLines sources, InlinedCalls inlined, int most, int nameLength)
        => caller.Type?.Name is { } type && !Frameworks.IsOwn(type)
            && SourceLines.Statement(caller, frame.InstructionPointer - 1) is { } statement
                ? inlined.Between(caller, statement, called).Reverse().Take(most).Select(call => new FrameFacts
                {
                    Ip = new Address(frame.InstructionPointer),
                    Sp = new Address(frame.StackPointer),
                    Kind = FrameKind.Managed,
                    Trust = Trust.Derived,
                    Module = FileName(call.Module.Name),
                    Method = Cut(call.Method, nameLength),
                    Source = sources.OfIl(call.Module, call.Token, call.At),
                })
                : [];

    /// <summary>One frame.</summary>
    public static FrameFacts Frame(ClrStackFrame frame, Trust trust, SourceLines sources, int nameLength)
    {
        bool isManaged = frame.Kind == ClrStackFrameKind.ManagedMethod;
        string? method = MethodName(frame.Method);
        return new FrameFacts
        {
            Ip = new Address(frame.InstructionPointer),
            Sp = new Address(frame.StackPointer),
            Kind = isManaged ? FrameKind.Managed : FrameKind.Runtime,
            Trust = trust,
            Module = FileName(frame.Method?.Type?.Module?.Name),
            // Before .NET 10 the marker of a call into the runtime (HelperMethodFrame) is all that names Monitor.ReliableEnter.
            Method = Cut(isManaged ? method : method ?? (frame.FrameName is { Length: > 0 } marker ? $"[{marker}]" : null), nameLength),
            MethodOffset = isManaged ? Offset(frame) : null,
            Source = isManaged ? sources.Of(frame, isLeaf: trust == Trust.Read) : null,
        };
    }

    private static ulong? Offset(ClrStackFrame frame)
    {
        ulong start = frame.Method?.NativeCode ?? 0;
        return start != 0 && start != ulong.MaxValue && frame.InstructionPointer >= start && frame.InstructionPointer - start <= int.MaxValue
            ? frame.InstructionPointer - start
            : null;
    }

    private static string? FileName(string? path) => path is { Length: > 0 } ? path[(path.LastIndexOfAny(['/', '\\']) + 1)..] : null;

    private static string? Cut(string? name, int length) => name?.Length > length ? name[..length] : name;
}
