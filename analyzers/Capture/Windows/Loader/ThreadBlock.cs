using System.Buffers.Binary;
using HangTriage.Capture.Windows.Unwind;
using HangTriage.Facts;

namespace HangTriage.Capture.Windows.Loader;

/// <summary>
/// A 64-bit thread environment block, as far as its memory is there. The offsets were computed by compiling the public
/// phnt headers for x64.
/// </summary>
internal sealed class ThreadBlock
{
    private const int HeadSize = 0x70;
    private const int StackBaseOffset = 0x08;
    private const int StackLimitOffset = 0x10;
    private const int SelfOffset = 0x30;
    private const int ThreadIdOffset = 0x48;
    private const int PebOffset = 0x60;
    private const ulong WaitingOnLoaderLockOffset = 0x1760;
    private const ulong SameTebFlagsOffset = 0x17EE;
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

    /// <summary>Reads a thread's block; the gap says why there is none.</summary>
    public static ThreadBlock? Read(TargetMemory memory, WindowsThread thread, LoaderKnowledge loader, out Gap? gap)
    {
        const string What = "thread environment block";
        Span<byte> head = stackalloc byte[HeadSize];
        gap = null;
        if (thread.Teb == 0)
        {
            gap = new Gap(What, "the thread list does not say where it lies");
        }
        else if (thread.Teb > ulong.MaxValue - 0x10000 || !memory.TryRead(thread.Teb, head))
        {
            gap = new Gap(What, $"the memory at {new Address(thread.Teb)} {memory.Absent}");
        }
        else if (U64(head, SelfOffset) != thread.Teb && (uint)U64(head, ThreadIdOffset) != thread.Id)
        {
            gap = new Gap(What, $"what lies at {new Address(thread.Teb)} is not this thread's");
        }

        if (gap is not null)
        {
            return null;
        }

        ulong stackBase = U64(head, StackBaseOffset);
        ulong stackLimit = U64(head, StackLimitOffset);
        StackBounds stack = stackLimit < stackBase ? new StackBounds(stackLimit, stackBase, true) : StackBounds.Unknown;
        return new ThreadBlock(ReadFlags(memory, thread.Teb, loader), stack, U64(head, PebOffset));
    }

    private static TebFacts ReadFlags(TargetMemory memory, ulong teb, LoaderKnowledge loader)
    {
        const string Waiting = "wait for the loader lock";
        const string Owner = "load owner flag";
        const string Worker = "loader worker flag";
        if (loader.IsWine)
        {
            const string Wine = "the loader of Wine does not keep it";
            return new TebFacts(
                new Address(teb), Known.Unknown<bool>(Waiting, Wine), Known.Unknown<bool>(Owner, Wine), Known.Unknown<bool>(Worker, Wine));
        }

        string missing = $"that part of the thread environment block {memory.Absent}";
        Known<bool> waiting = memory.TryReadUInt32(teb + WaitingOnLoaderLockOffset, out uint wait)
            ? Known<bool>.Of(wait != 0, Trust.Assumed)
            : Known.Unknown<bool>(Waiting, missing);
        string? why = !loader.OsBuild.TryGet(out uint build) ? "the build of Windows is not known"
            : build < FirstParallelLoaderBuild ? $"Windows {build} has no parallel loader"
            : null;
        ushort flags = 0;
        if (why is null && !memory.TryReadUInt16(teb + SameTebFlagsOffset, out flags))
        {
            why = missing;
        }

        return why is null
            ? new TebFacts(
                new Address(teb),
                waiting,
                Known<bool>.Of((flags & LoadOwner) != 0, Trust.Assumed),
                Known<bool>.Of((flags & LoaderWorker) != 0, Trust.Assumed))
            : new TebFacts(new Address(teb), waiting, Known.Unknown<bool>(Owner, why), Known.Unknown<bool>(Worker, why));
    }

    private static ulong U64(ReadOnlySpan<byte> bytes, int offset) => BinaryPrimitives.ReadUInt64LittleEndian(bytes[offset..]);
}
