using System.Buffers.Binary;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed;

/// <summary>
/// One of the runtime's tables of handles, of words of 8 bytes. dotnet/runtime: gc/handletablepriv.h and gc/handletableconstants.h; of .NET
/// 8 to 10 it differs in the number of the kinds of handles alone.
/// </summary>
internal sealed class HandleTable
{
    private const int Word = sizeof(ulong);
    private const ulong SegmentSize = 0x10000;
    private const int HeaderSize = 0x1000;
    private const int PerBlock = 64;
    private const int Blocks = ((int)SegmentSize - HeaderSize) / Word / PerBlock;
    private const int MostSegments = 4096;

    // rgGeneration, rgAllocation and rgFreeMask come before the types of the blocks; then locks, tails, hints and counts.
    private const int BlockTypes = Blocks * (sizeof(uint) + 1) + Blocks * PerBlock / 8;
    private const int UserData = BlockTypes + Blocks;

    // How many kinds there are: HANDLE_MAX_INTERNAL_TYPES.
    private static readonly int[] s_kinds = [12, 13];

    private readonly IDataReader _reader;
    private readonly int _kinds;

    private HandleTable(IDataReader reader, int kinds, ulong address, ulong first)
    {
        _reader = reader;
        _kinds = kinds;
        Address = address;
        FirstSegment = first;
    }

    public ulong Address { get; }

    public ulong FirstSegment { get; }

    /// <summary>The segment that the handle at an address is in.</summary>
    public static ulong SegmentOf(ulong handle) => handle & ~(SegmentSize - 1);

    /// <summary>Null where no table stands there.</summary>
    public static HandleTable? At(IDataReader reader, ulong address)
        => s_kinds.Select(kinds => At(reader, kinds, address)).FirstOrDefault(table => table is not null);

    /// <summary>The table that a segment is of; null where it is none.</summary>
    public static HandleTable? OfSegment(IDataReader reader, ulong segment)
        => s_kinds.Select(kinds => reader.ReadPointer(segment + Owner(kinds), out ulong table) ? At(reader, kinds, table) : null)
            .FirstOrDefault(table => table is not null);

    /// <summary>Those that refer to an object. What cannot be read is left out.</summary>
    public IEnumerable<RuntimeHandle> Handles(ClrHeap heap)
    {
        byte[] memory = new byte[SegmentSize];
        ulong segment = FirstSegment;
        for (int seen = 0; seen < MostSegments && IsSegmentOf(_reader, _kinds, segment, Address); seen++)
        {
            // Its end may never have been used.
            int length = _reader.Read(segment, memory);
            for (int block = 0; block < Blocks && HeaderSize + (block + 1) * PerBlock * Word <= length; block++)
            {
                if (KindOf(memory[BlockTypes + block]) is not { } kind)
                {
                    continue;
                }

                for (int index = block * PerBlock; index < (block + 1) * PerBlock; index++)
                {
                    if (ValueAt(memory, index) is not 0 and var address)
                    {
                        int other = memory[UserData + block] * PerBlock + index % PerBlock;
                        bool isPair = kind == ClrHandleKind.Dependent && HeaderSize + (other + 1) * Word <= length;
                        ulong dependent = isPair ? ValueAt(memory, other) : 0;
                        yield return new RuntimeHandle(kind, heap.GetObject(address), dependent == 0 ? default : heap.GetObject(dependent));
                    }
                }
            }

            segment = BinaryPrimitives.ReadUInt64LittleEndian(memory.AsSpan((int)NextSegment(_kinds)));
        }
    }

    private static HandleTable? At(IDataReader reader, int kinds, ulong address)
        => reader.ReadPointer(address + SegmentList(kinds), out ulong first) && IsSegmentOf(reader, kinds, first, address)
            ? new HandleTable(reader, kinds, address, first)
            : null;

    private static bool IsSegmentOf(IDataReader reader, int kinds, ulong segment, ulong table)
        => segment != 0 && segment % SegmentSize == 0 && reader.ReadPointer(segment + Owner(kinds), out ulong owner) && owner == table;

    // Behind the flags of the kinds.
    private static ulong SegmentList(int kinds) => (ulong)((kinds * sizeof(uint) + Word - 1) / Word * Word);

    // Behind a tail, a hint and a count of each kind.
    private static ulong NextSegment(int kinds) => (ulong)(BlockTypes + 3 * Blocks + kinds * (2 + sizeof(uint)));

    private static ulong Owner(int kinds) => NextSegment(kinds) + Word;

    private static ulong ValueAt(byte[] memory, int index)
        => BinaryPrimitives.ReadUInt64LittleEndian(memory.AsSpan(HeaderSize + index * Word));

    // gc/gcinterface.h: HandleType. Others are kept by none but the runtime's own, such as blocks of the table's own data.
    private static ClrHandleKind? KindOf(byte type) => type switch
    {
        0 => ClrHandleKind.WeakShort,
        1 => ClrHandleKind.WeakLong,
        2 => ClrHandleKind.Strong,
        3 => ClrHandleKind.Pinned,
        5 => ClrHandleKind.RefCounted,
        6 => ClrHandleKind.Dependent,
        7 => ClrHandleKind.AsyncPinned,
        8 => ClrHandleKind.SizedRef,
        9 => ClrHandleKind.WeakWinRT,
        _ => null,
    };
}
