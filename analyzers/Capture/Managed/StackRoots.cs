using System.Runtime.InteropServices;
using HangTriage.Capture.Managed.Reading;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed;

/// <summary>
/// The objects that a thread's stack refers to. Asked for the roots of a thread that is just throwing an exception, the
/// runtime's own reader (native code) can end the process that asks; of one that runs in the runtime's own code it finds no
/// frame. Of such a thread every word of its stack counts that is an object's address: among them are all its roots, and
/// some that are left over or only look like one.
/// </summary>
internal static class StackRoots
{
    // Of one that has an array on the stack, and of what lies within the innermost frame that was found.
    private const int MostBytes = 64 << 10;

    // The end of the outermost frame is not known.
    private const int OutermostBytes = 1024;

    public static IEnumerable<HeldObject> Of(ClrThread thread) => Of(thread, out _);

    /// <summary>Those that are objects, by the stack pointer of the frame that holds them.</summary>
    public static ILookup<ulong, HeldObject> ByFrame(ClrThread thread)
    {
        using TypeGuesses guesses = new(thread.Runtime.DataTarget.DataReader);
        return Of(thread).Where(root => root.Frame is not null && root.Object.Type is { IsFree: false })
            .ToLookup(root => root.Frame!.StackPointer);
    }

    /// <param name="thread">The thread.</param>
    /// <param name="areGuessed">They are words of the stack, not what the runtime's reader says.</param>
    public static IEnumerable<HeldObject> Of(ClrThread thread, out bool areGuessed)
    {
        areGuessed = !ThreadStates.IsBlocked(thread) && (thread.CurrentException is not null || IsThrowingOrHidden(thread));
        return areGuessed ? Scanned(thread) : ByRuntime(thread);
    }

    /// <summary>
    /// What a thread that stands in managed code may have in its registers and its innermost frame, besides what the runtime's reader says:
    /// most code says only of its calls where its objects are. Some of these are left over or only look like one.
    /// </summary>
    /// <param name="thread">The thread.</param>
    /// <param name="frames">Its frames, the innermost first.</param>
    public static IEnumerable<ClrObject> BetweenCalls(ClrThread thread, IReadOnlyList<ClrStackFrame> frames)
    {
        ClrRuntime runtime = thread.Runtime;
        if (frames is not [{ Kind: ClrStackFrameKind.ManagedMethod } innermost, ..]
            || ThreadRegisters.Of(runtime.DataTarget.DataReader, thread.OSThreadId) is not { } registers
            || registers.Ip != innermost.InstructionPointer
            || ThreadRegisters.ContextOf(runtime.DataTarget.DataReader, thread.OSThreadId) is not { Length: ContextX64.Size } context)
        {
            return [];
        }

        ulong end = frames.Count > 1 ? frames[1].StackPointer : registers.Sp + OutermostBytes;
        return
        [
            .. InRegisters(runtime, context),
            .. end <= registers.Sp ? [] : Objects(runtime, registers.Sp, (int)Math.Min(end - registers.Sp, MostBytes)),
        ];
    }

    /// <summary>The objects that the general registers lead to; some are left over.</summary>
    /// <param name="runtime">The runtime.</param>
    /// <param name="context">The CONTEXT of a thread or frame.</param>
    public static IReadOnlyList<ClrObject> InRegisters(ClrRuntime runtime, ReadOnlySpan<byte> context)
        => ObjectsIn(runtime, context.Slice(ContextX64.General, ContextX64.GeneralCount * sizeof(ulong)));

    // Where a frame keeps its objects is said by data of its method, which a dump of the heap need not have. A slot that a frame has yet to
    // fill, or uses no more, only looks like an object.
    private static IEnumerable<HeldObject> ByRuntime(ClrThread thread)
    {
        using OptionalReads optional = new(thread.Runtime.DataTarget.DataReader);
        using TypeGuesses guesses = new(thread.Runtime.DataTarget.DataReader);
        return [.. thread.EnumerateStackRoots().Select(root => new HeldObject(root.Object, root.StackFrame, root.IsInterior))];
    }

    // The runtime's marker of a throw (SoftwareExceptionFrame, FaultingExceptionFrame) is there before the exception is.
    private static bool IsThrowingOrHidden(ClrThread thread)
    {
        bool hasManaged = false;
        foreach (ClrStackFrame frame in thread.EnumerateStackTrace())
        {
            if (frame.Kind == ClrStackFrameKind.ManagedMethod)
            {
                hasManaged = true;
            }
            else if (frame.FrameName?.EndsWith("ExceptionFrame", StringComparison.Ordinal) == true)
            {
                return true;
            }
        }

        return !hasManaged;
    }

    private static IEnumerable<HeldObject> Scanned(ClrThread thread)
    {
        ClrStackFrame[] frames = [.. thread.EnumerateStackTrace().OrderBy(frame => frame.StackPointer)];
        if (ThreadRegisters.Of(thread.Runtime.DataTarget.DataReader, thread.OSThreadId) is { } registers
            && frames is [ClrStackFrame innermost, ..]
            && registers.Sp < innermost.StackPointer)
        {
            foreach (ClrObject found in Objects(thread.Runtime, registers.Sp, (int)Math.Min(innermost.StackPointer - registers.Sp, MostBytes)))
            {
                yield return new HeldObject(found, null, IsInterior: false);
            }
        }

        for (int i = 0; i < frames.Length; i++)
        {
            ulong start = frames[i].StackPointer;
            ulong size = i + 1 < frames.Length ? Math.Min(frames[i + 1].StackPointer - start, MostBytes) : OutermostBytes;
            foreach (ClrObject found in Objects(thread.Runtime, start, (int)size))
            {
                yield return new HeldObject(found, frames[i], IsInterior: false);
            }
        }
    }

    // A word that only looks like the address of an object leads to what is no type, anywhere.
    private static IReadOnlyList<ClrObject> Objects(ClrRuntime runtime, ulong start, int size)
    {
        byte[] memory = new byte[size];
        int read = runtime.DataTarget.DataReader.Read(start, memory);
        return ObjectsIn(runtime, memory.AsSpan(0, Math.Max(0, read)));
    }

    private static IReadOnlyList<ClrObject> ObjectsIn(ClrRuntime runtime, ReadOnlySpan<byte> words)
    {
        IDataReader reader = runtime.DataTarget.DataReader;
        int word = reader.PointerSize;
        using OptionalReads optional = new(reader);
        using TypeGuesses guesses = new(reader);
        List<ClrObject> objects = [];
        for (int at = 0; at + word <= words.Length; at += word)
        {
            ReadOnlySpan<byte> rest = words[at..];
            ulong address = word == sizeof(ulong) ? MemoryMarshal.Read<ulong>(rest) : MemoryMarshal.Read<uint>(rest);
            if (address % (uint)word == 0 && runtime.Heap.GetSegmentByAddress(address) is not null
                && runtime.Heap.GetObject(address) is { Type: not null, IsFree: false } found)
            {
                objects.Add(found);
            }
        }

        return objects;
    }
}
