using System.Buffers.Binary;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Heap;

/// <summary>
/// Objects that threads are allocating. The collector sets room aside, clears it, and hands out its address; only then does the runtime
/// write the type. In between the heap has a place without an object, and nothing but the allocating thread knows its address.
/// Large objects are cleared outside of any thread's room to allocate, so that no list of the runtime's names the place.
/// </summary>
internal sealed class ObjectsBeingMade(ClrRuntime runtime)
{
    // From the caller of the runtime down to the method that clears memory: about 1,300 bytes with .NET 10 on Linux.
    private const int StackBelow = 8192;
    private const int StackAbove = 4096;
    private const int MostThreads = 4096;

    private HashSet<ulong>? _atHand;

    /// <summary>A thread that is at work in the runtime itself has the address in a register or in its innermost frames.</summary>
    public bool Has(ulong address)
    {
        _atHand ??= [.. runtime.Threads.Take(MostThreads).Where(IsInRuntime).SelectMany(Words)];
        return _atHand.Contains(address);
    }

    // What waits has left the mode in which one may allocate.
    private bool IsInRuntime(ClrThread thread)
    {
        if (thread is not { IsAlive: true, GCMode: GCMode.Cooperative })
        {
            return false;
        }

        IDataReader reader = runtime.DataTarget.DataReader;
        return (reader is IContextStandIn shown && shown.HasStandIn(thread.OSThreadId))
            || (ThreadRegisters.Of(reader, thread.OSThreadId) is { } registers
                && runtime.GetMethodByInstructionPointer(registers.Ip) is null);
    }

    private IEnumerable<ulong> Words(ClrThread thread)
    {
        IDataReader reader = runtime.DataTarget.DataReader;
        if (ThreadRegisters.Of(reader, thread.OSThreadId) is not { } registers
            || ThreadRegisters.ContextOf(reader, thread.OSThreadId) is not { } context)
        {
            return [];
        }

        byte[] below = new byte[StackBelow];
        byte[] above = new byte[StackAbove];
        ulong sp = registers.Sp & ~7UL;
        return
        [
            .. WordsOf(context),
            .. WordsOf(below.AsSpan(0, reader.Read(sp - StackBelow, below))),
            .. WordsOf(above.AsSpan(0, reader.Read(sp, above))),
        ];
    }

    private static List<ulong> WordsOf(ReadOnlySpan<byte> memory)
    {
        List<ulong> words = [];
        for (; memory.Length >= sizeof(ulong); memory = memory[sizeof(ulong)..])
        {
            words.Add(BinaryPrimitives.ReadUInt64LittleEndian(memory));
        }

        return words;
    }
}
