using System.Buffers.Binary;
using HangTriage.Capture;
using HangTriage.Capture.Managed;
using HangTriage.Capture.Windows;
using HangTriage.Facts;

namespace HangTriage.Tests.Capture.Windows;

/// <summary>A process made of pieces of memory; what is not given is missing.</summary>
internal sealed class FakeProcess : IWindowsProcess
{
    private readonly SortedList<ulong, byte[]> _memory = [];
    private readonly List<ModuleFacts> _modules = [];
    private readonly List<WindowsThread> _threads = [];
    private readonly List<byte[]> _contexts = [];

    public TargetKind Kind => TargetKind.Minidump;

    public TargetArchitecture Architecture { get; init; } = TargetArchitecture.X64;

    public Known<uint> OsBuild { get; init; } = Known.Read(22631u);

    public Known<uint> Pid => Known.Read(1u);

    public Known<uint> ProcessorCount => Known.Read(1u);

    public Known<DateTimeOffset> StartedAt => Known.Unknown<DateTimeOffset>("start", "not given");

    public Known<DateTimeOffset> CapturedAt => Known.Unknown<DateTimeOffset>("time", "not given");

    public Absence Absence => Absence.InMinidump;

    public IRuntimeDoor Runtime { get; } = new HostRuntime("not given");

    public Known<IReadOnlyList<ModuleFacts>> Modules => Known.Read<IReadOnlyList<ModuleFacts>>(_modules);

    public Known<IReadOnlyList<WindowsThread>> Threads => Known.Read<IReadOnlyList<WindowsThread>>(_threads);

    public Known<IReadOnlyList<HandleFacts>> Handles => Known.Unknown<IReadOnlyList<HandleFacts>>("handles", "not given");

    public IReadOnlyList<Gap> Gaps => [];

    public void Memory(ulong address, byte[] bytes) => _memory.Add(address, bytes);

    public void Words(ulong address, params ulong[] words)
    {
        byte[] bytes = new byte[words.Length * 8];
        for (int i = 0; i < words.Length; i++)
        {
            BinaryPrimitives.WriteUInt64LittleEndian(bytes.AsSpan(i * 8), words[i]);
        }

        Memory(address, bytes);
    }

    public void Module(string name, ulong imageBase, uint size) => _modules.Add(new ModuleFacts(name, new Address(imageBase), size));

    public void Thread(uint id, ulong teb, byte[] context)
    {
        _threads.Add(new WindowsThread
        {
            Id = id,
            Index = _threads.Count,
            Teb = teb,
            Name = Known.Read(""),
            Cpu = Known.Unknown<CpuTime>("cpu", "not given"),
            StartedAt = Known.Unknown<DateTimeOffset>("start", "not given"),
            StartAddress = Known.Unknown<Address>("start address", "not given"),
        });
        _contexts.Add(context);
    }

    /// <summary>An x64 CONTEXT; registers by their number in machine code, all others 0.</summary>
    public static byte[] Context(ulong rip, ulong rsp, params (int Register, ulong Value)[] others)
    {
        byte[] context = new byte[0x4D0];
        BinaryPrimitives.WriteUInt32LittleEndian(context.AsSpan(0x30), 0x10000B);
        BinaryPrimitives.WriteUInt64LittleEndian(context.AsSpan(0x98), rsp);
        BinaryPrimitives.WriteUInt64LittleEndian(context.AsSpan(0xF8), rip);
        foreach ((int register, ulong value) in others)
        {
            BinaryPrimitives.WriteUInt64LittleEndian(context.AsSpan(0x78 + (register * 8)), value);
        }

        return context;
    }

    public int ReadMemory(ulong address, Span<byte> buffer)
    {
        int copied = 0;
        foreach ((ulong start, byte[] bytes) in _memory)
        {
            ulong next = address + (ulong)copied;
            if (next >= start && next - start < (ulong)bytes.Length && copied < buffer.Length)
            {
                ReadOnlySpan<byte> rest = bytes.AsSpan((int)(next - start));
                int count = Math.Min(rest.Length, buffer.Length - copied);
                rest[..count].CopyTo(buffer[copied..]);
                copied += count;
            }
        }

        return copied;
    }

    public int ReadContext(WindowsThread thread, Span<byte> buffer)
    {
        byte[] context = _contexts[thread.Index];
        int count = Math.Min(context.Length, buffer.Length);
        context.AsSpan(0, count).CopyTo(buffer);
        return count;
    }
}
