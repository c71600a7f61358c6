using System.Buffers.Binary;
using HangTriage.Capture.Windows.Threads;
using HangTriage.Facts;

namespace HangTriage.Capture.Windows.Snapshots;

/// <summary>
/// The 32-bit side of a process that a 64-bit source shows: its program's registers, thread environment blocks and
/// process environment block, and not those of the 64-bit layer below it. Where a thread is in 64-bit code, the layer
/// keeps its 32-bit registers behind TLS slot 1 of the 64-bit thread environment block: four bytes, then an x86 CONTEXT.
/// </summary>
internal sealed class Wow64Process : IWindowsProcess
{
    private const ulong TlsSlot1 = 0x1488;
    private const ulong TebOffset = 0x180C; // LONG WowTebOffset, from Windows 10 on
    private const int UsualTebOffset = 0x2000;
    private const int LargestTebOffset = 0x10000;
    private const int SegCs = 0x38;
    private const ushort Code32 = 0x23;

    private readonly IWindowsProcess _process;
    private readonly TargetMemory _memory;

    public Wow64Process(IWindowsProcess process, TargetMemory memory)
    {
        _process = process;
        _memory = memory;
        Threads = process.Threads.Select<IReadOnlyList<WindowsThread>>(threads => [.. threads.Select(ThreadOf)]);
    }

    public TargetKind Kind => _process.Kind;

    public TargetArchitecture Architecture => TargetArchitecture.X86;

    public Known<uint> OsBuild => _process.OsBuild;

    public Known<uint> Pid => _process.Pid;

    public Known<uint> ProcessorCount => _process.ProcessorCount;

    public Known<DateTimeOffset> StartedAt => _process.StartedAt;

    public Known<TimeSpan>? StoodStill => _process.StoodStill;

    public CrashFacts? Crash => _process.Crash;

    public Known<DateTimeOffset> CapturedAt => _process.CapturedAt;

    public Absence Absence => _process.Absence;

    public IRuntimeDoor Runtime => _process.Runtime;

    public Known<IReadOnlyList<ModuleFacts>> Modules => _process.Modules;

    public Known<IReadOnlyList<WindowsThread>> Threads { get; }

    public Known<IReadOnlyList<HandleFacts>> Handles => _process.Handles;

    public IReadOnlyList<Gap> Gaps => _process.Gaps;

    public IReadOnlyList<Gap> Losses => _process.Losses;

    /// <summary>The source has the 32-bit registers of at least one thread.</summary>
    public bool IsThere => Threads.Is(threads => threads.Any(HasContext));

    public int ReadMemory(ulong address, Span<byte> buffer) => _process.ReadMemory(address, buffer);

    public int ReadContext(WindowsThread thread, Span<byte> buffer)
    {
        ArgumentNullException.ThrowIfNull(thread);
        Span<byte> native = stackalloc byte[TopFrame.ContextSize];
        native = native[.._process.ReadContext(thread, native)];
        if (native.Length >= Unwind.X64Registers.ContextSize && BinaryPrimitives.ReadUInt16LittleEndian(native[SegCs..]) == Code32)
        {
            return Narrow(native, buffer);
        }

        Span<byte> context = stackalloc byte[Unwind.X86Registers.ContextSize];
        ulong teb = thread.Teb - (ulong)TebOffsetOf(thread);
        if (!_memory.TryReadUInt64(unchecked(teb + TlsSlot1), out ulong area) || area == 0
            || !_memory.TryRead(unchecked(area + 4), context)
            || !Unwind.X86Registers.TryParse(context, out _))
        {
            return 0;
        }

        int count = Math.Min(context.Length, buffer.Length);
        context[..count].CopyTo(buffer);
        return count;
    }

    /// <summary>The 64-bit registers of a thread in 32-bit code are the 32-bit ones, widened.</summary>
    private static int Narrow(ReadOnlySpan<byte> native, Span<byte> buffer)
    {
        if (buffer.Length < Unwind.X86Registers.ContextSize)
        {
            return 0;
        }

        Span<byte> context = buffer[..Unwind.X86Registers.ContextSize];
        context.Clear();
        BinaryPrimitives.WriteUInt32LittleEndian(context, 0x10001);
        native.Slice(0xA0, 4).CopyTo(context[0xB4..]); // rbp
        native.Slice(0xF8, 4).CopyTo(context[0xB8..]); // rip
        native.Slice(0x98, 4).CopyTo(context[0xC4..]); // rsp
        return context.Length;
    }

    private WindowsThread ThreadOf(WindowsThread thread)
        => thread with { Teb = thread.Teb == 0 ? 0 : unchecked(thread.Teb + (ulong)ReadTebOffset(thread.Teb)) };

    private bool HasContext(WindowsThread thread)
    {
        Span<byte> context = stackalloc byte[TopFrame.ContextSize];
        return ReadContext(thread, context) > 0;
    }

    private int TebOffsetOf(WindowsThread thread)
    {
        IReadOnlyList<WindowsThread> native = _process.Threads.Value;
        return thread.Index < native.Count && native[thread.Index].Id == thread.Id ? (int)(thread.Teb - native[thread.Index].Teb) : UsualTebOffset;
    }

    private int ReadTebOffset(ulong teb)
        => _memory.TryReadUInt32(unchecked(teb + TebOffset), out uint offset) && (int)offset is not 0 and >= -LargestTebOffset and <= LargestTebOffset
            ? (int)offset
            : UsualTebOffset;
}
