using System.Buffers.Binary;
using System.Runtime.InteropServices;
using HangTriage.Capture.Managed.Heap;
using HangTriage.Facts;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Collections;

/// <summary>Reads the arrays of hash tables and checks them. Fastest in the order of the arrays' addresses.</summary>
internal sealed class TableReader(ClrRuntime runtime, TableLayouts layouts, CaptureLimits limits)
{
    private const int WindowSize = 1 << 18;

    private readonly TableChecker _checker = new();
    private readonly MemoryWindow _bucketMemory = new(runtime.DataTarget.DataReader, WindowSize);
    private readonly MemoryWindow _entryMemory = new(runtime.DataTarget.DataReader, WindowSize);
    private readonly int _pointerSize = runtime.DataTarget.DataReader.PointerSize;
    private int[] _buckets = [];
    private uint[] _hashes = [];
    private int[] _nexts = [];

    // The method table and the length, padded to a pointer.
    private int HeaderSize => 2 * _pointerSize;

    /// <summary>What is wrong with the table and how large it is; a gap where its arrays are not in the input.</summary>
    public Known<TableState> Check(Table table)
    {
        int buckets = 0;
        int capacity = 0;
        EntryLayout? layout = null;
        if (table.Buckets != 0 && (LengthOf(_bucketMemory, table.Buckets, out buckets) == 0 || !ReadBuckets(table.Buckets + (uint)HeaderSize, buckets)))
        {
            return Unreadable(table, "its buckets are not in the input, or are more than the limit");
        }

        if (table.Entries != 0)
        {
            ulong type = LengthOf(_entryMemory, table.Entries, out capacity);
            layout = type == 0 ? null : layouts.OfEntries(type, table.Entries);
            if (layout is null || !ReadEntries(table.Entries + (uint)HeaderSize, layout, Math.Min(capacity, table.Count)))
            {
                return Unreadable(table, "its entries are not in the input, or are more than the limit");
            }
        }

        int read = Math.Max(0, Math.Min(capacity, table.Count));
        TableContent content = new(
            new TableEncoding(table.Layout.IsZeroBased, layout?.IsFreeByHash == true),
            _buckets.AsSpan(0, buckets),
            _hashes.AsSpan(0, read),
            _nexts.AsSpan(0, read))
        {
            Count = table.Count,
            Capacity = capacity,
            FreeList = table.FreeList,
            FreeCount = table.FreeCount,
        };
        return Known.Read(new TableState(buckets, capacity, layout?.Size ?? 0, Meant(table.Layout, _checker.Check(content))));
    }

    // What a type that is not the runtime's does with its free entries and where its buckets begin is its own affair; a
    // circle is one for everybody.
    private static IReadOnlyList<CollectionFault> Meant(TableLayout layout, IReadOnlyList<CollectionFault> faults)
        => layout.IsOwnKind || faults.Count == 0 ? faults : [.. faults.Where(fault => fault.Kind == CollectionFaultKind.ChainCycle)];

    private static Known<TableState> Unreadable(Table table, string why) => Known.Unknown<TableState>($"collection at 0x{table.Address:x}", why);

    /// <summary>The array's method table; 0 where the array cannot be read.</summary>
    private ulong LengthOf(MemoryWindow memory, ulong array, out int length)
    {
        ReadOnlySpan<byte> header = memory.At(array, HeaderSize);
        length = 0;
        if (header.Length < HeaderSize)
        {
            return 0;
        }

        length = BinaryPrimitives.ReadInt32LittleEndian(header[_pointerSize..]);
        return length < 0 || length > limits.CollectionEntries ? 0
            : _pointerSize == sizeof(ulong) ? BinaryPrimitives.ReadUInt64LittleEndian(header)
            : BinaryPrimitives.ReadUInt32LittleEndian(header);
    }

    private bool ReadBuckets(ulong address, int count)
    {
        Grow(ref _buckets, count);
        for (int done = 0; done < count;)
        {
            int wanted = Math.Min(count - done, _bucketMemory.Size / sizeof(int));
            ReadOnlySpan<byte> memory = _bucketMemory.At(address + ((ulong)done * sizeof(int)), wanted * sizeof(int));
            if (memory.Length < wanted * sizeof(int))
            {
                return false;
            }

            MemoryMarshal.Cast<byte, int>(memory[..(wanted * sizeof(int))]).CopyTo(_buckets.AsSpan(done));
            done += wanted;
        }

        return true;
    }

    private bool ReadEntries(ulong address, EntryLayout layout, int count)
    {
        Grow(ref _hashes, count);
        Grow(ref _nexts, count);
        for (int done = 0; done < count;)
        {
            int wanted = Math.Min(count - done, _entryMemory.Size / layout.Size);
            ReadOnlySpan<byte> memory = _entryMemory.At(address + ((ulong)done * (uint)layout.Size), wanted * layout.Size);
            if (memory.Length < wanted * layout.Size)
            {
                return false;
            }

            for (int i = 0; i < wanted; i++)
            {
                _hashes[done + i] = BinaryPrimitives.ReadUInt32LittleEndian(memory[((i * layout.Size) + layout.Hash)..]);
                _nexts[done + i] = BinaryPrimitives.ReadInt32LittleEndian(memory[((i * layout.Size) + layout.Next)..]);
            }

            done += wanted;
        }

        return true;
    }

    private static void Grow<T>(ref T[] array, int count)
    {
        if (array.Length < count)
        {
            array = new T[Math.Max(count, array.Length * 2)];
        }
    }
}
