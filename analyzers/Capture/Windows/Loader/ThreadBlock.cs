using System.Buffers.Binary;
using HangTriage.Capture.Windows.Layout;
using HangTriage.Capture.Windows.Unwind;
using HangTriage.Facts;

namespace HangTriage.Capture.Windows.Loader;

/// <summary>
/// A thread environment block, as far as its memory is there.
/// </summary>
internal sealed class ThreadBlock
{
    private const int LargestHead = 0x68;
    private const ushort LoadOwner = 0x1000;
    private const ushort LoaderWorker = 0x2000;
    private const uint FirstParallelLoaderBuild = 10240;

    private ThreadBlock(TebFacts facts, StackBounds stack, ulong peb)
    {
        Facts = facts;
        Stack = stack;
        Peb = peb;
    }

    public TebFacts Facts { get; }

    /// <summary>The stack that the thread runs on unless it switched to a fiber.</summary>
    public StackBounds Stack { get; }

    public ulong Peb { get; }

    /// <summary>Reads a thread's block; the gap says why there is none. Every kind of dump has the blocks of its threads: a missing one is a loss.</summary>
    public static ThreadBlock? Read(
        TargetMemory memory, NativeLayout layout, WindowsThread thread, LoaderKnowledge loader, out Gap? gap)
    {
        const string What = "thread environment block";
        Span<byte> head = stackalloc byte[LargestHead];
        head = head[..layout.TebHeadSize];
        gap = null;
        if (thread.Teb == 0)
        {
            gap = new Gap(What, "the thread list does not say where it lies");
        }
        else if (thread.Teb > ulong.MaxValue - 0x10000 || !memory.TryRead(thread.Teb, head))
        {
            gap = new Gap(What, $"the memory at {new Address(thread.Teb)} {memory.Absent}") { IsLoss = true };
        }
        else if (Pointer(head, layout, layout.TebSelf) != thread.Teb && (uint)Pointer(head, layout, layout.TebThreadId) != thread.Id)
        {
            gap = new Gap(What, $"what lies at {new Address(thread.Teb)} is not this thread's") { IsLoss = true };
        }

        if (gap is not null)
        {
            return null;
        }

        ulong stackBase = Pointer(head, layout, layout.TebStackBase);
        ulong stackLimit = Pointer(head, layout, layout.TebStackLimit);
        StackBounds stack = stackLimit < stackBase ? new StackBounds(stackLimit, stackBase, true) : StackBounds.Unknown;
        TebFacts facts = ReadFlags(memory, layout, thread.Teb, loader) with { ClientId = new ThreadId((uint)Pointer(head, layout, layout.TebThreadId)) };
        return new ThreadBlock(facts, stack, Pointer(head, layout, layout.TebPeb));
    }

    private static TebFacts ReadFlags(TargetMemory memory, NativeLayout layout, ulong teb, LoaderKnowledge loader)
    {
        const string Waiting = "wait for the loader lock";
        const string Owner = "load owner flag";
        const string Worker = "loader worker flag";
        Known<bool> isGui = ReadGui(memory, layout, teb, loader);
        if (loader.IsWine)
        {
            const string Wine = "the loader of Wine does not keep it";
            return new TebFacts(
                new Address(teb), Known.Unknown<bool>(Waiting, Wine), Known.Unknown<bool>(Owner, Wine), Known.Unknown<bool>(Worker, Wine))
            {
                IsGuiThread = isGui,
            };
        }

        string missing = $"that part of the thread environment block {memory.Absent}";
        Known<bool> waiting = memory.TryReadUInt32(teb + (ulong)layout.TebWaitingOnLoaderLock, out uint wait)
            ? Known<bool>.Of(wait != 0, Trust.Assumed)
            : Known.Unknown<bool>(Waiting, missing);
        string? why = !loader.OsBuild.TryGet(out uint build) ? "the build of Windows is not known"
            : build < FirstParallelLoaderBuild ? $"Windows {build} has no parallel loader"
            : null;
        ushort flags = 0;
        if (why is null && !memory.TryReadUInt16(teb + (ulong)layout.TebSameFlags, out flags))
        {
            why = missing;
        }

        TebFacts facts = why is null
            ? new TebFacts(
                new Address(teb),
                waiting,
                Known<bool>.Of((flags & LoadOwner) != 0, Trust.Assumed),
                Known<bool>.Of((flags & LoaderWorker) != 0, Trust.Assumed))
            : new TebFacts(new Address(teb), waiting, Known.Unknown<bool>(Owner, why), Known.Unknown<bool>(Worker, why));
        return facts with { IsGuiThread = isGui };
    }

    private static Known<bool> ReadGui(TargetMemory memory, NativeLayout layout, ulong teb, LoaderKnowledge loader)
    {
        const string What = "whether the thread has to do with windows";
        return loader.IsWine ? Known.Unknown<bool>(What, "Wine does not keep it")
            : !memory.TryReadPointer(teb + (ulong)layout.TebWindowThread, layout.PointerSize, out ulong info)
                ? Known.Unknown<bool>(What, $"that part of the thread environment block {memory.Absent}")
            : info == 0 && layout.PointerSize == sizeof(uint)
                ? Known.Unknown<bool>(What, "a 32-bit environment block need not keep it")
            : Known<bool>.Of(info != 0, Trust.Assumed);
    }

    private static ulong Pointer(ReadOnlySpan<byte> bytes, NativeLayout layout, int offset)
        => layout.PointerSize == sizeof(uint)
            ? BinaryPrimitives.ReadUInt32LittleEndian(bytes[offset..])
            : BinaryPrimitives.ReadUInt64LittleEndian(bytes[offset..]);
}
