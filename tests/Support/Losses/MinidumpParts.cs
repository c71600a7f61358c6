using System.Buffers.Binary;
using System.Text;

namespace HangTriage.Tests.Support.Losses;

/// <summary>The streams and ranges of memory of a 64-bit minidump. Shares no code with the reader.</summary>
internal sealed class MinidumpParts(byte[] file)
{
    private const uint ThreadList = 3;
    private const uint ModuleList = 4;
    private const uint MemoryList = 5;
    private const uint Memory64List = 9;
    private const int EntrySize = 12;
    private const int ThreadSize = 48;
    private const int ModuleSize = 108;

    // Half of the address space that is the kernel's: a range that was moved there is not where anybody looks for it.
    private const ulong Elsewhere = 0xFFFF_8000_0000_0000;

    private readonly List<(ulong Start, ulong Size, string Name)> _known = [];

    public IReadOnlyList<DumpPart> All()
    {
        int directory = (int)U32(12);
        int[] entries = [.. Enumerable.Range(0, (int)U32(8)).Select(i => directory + (i * EntrySize))];
        foreach (int entry in entries)
        {
            Know(U32(entry), (int)U32(entry + 8));
        }

        return
        [
            .. entries.Select(Stream).Where(part => part.Size > 0),
            .. entries.SelectMany(entry => Ranges(U32(entry), (int)U32(entry + 8))),
        ];

        DumpPart Stream(int entry, int number)
        {
            uint type = U32(entry);
            long offset = U32(entry + 8);
            long size = U32(entry + 4);
            return new DumpPart($"stream {number}", $"type {type}", offset, type == 0 ? 0 : size,
            [
                new Loss("missing", entry, sizeof(uint)),
                new Loss("zeroed", offset, size),
            ]);
        }
    }

    private void Know(uint stream, int at)
    {
        for (int i = 0; stream == ThreadList && i < U32(at); i++)
        {
            int thread = at + 4 + (i * ThreadSize);
            _known.Add((U64(thread + 24), U32(thread + 32), $"stack of 0x{U32(thread):x}"));
            _known.Add((U64(thread + 16), 1, $"TEB of 0x{U32(thread):x}"));
        }

        for (int i = 0; stream == ModuleList && i < U32(at); i++)
        {
            int module = at + 4 + (i * ModuleSize);
            int name = (int)U32(module + 20);
            string path = Encoding.Unicode.GetString(file, name + 4, (int)U32(name));
            _known.Add((U64(module), U32(module + 8), path[(path.LastIndexOf('\\') + 1)..]));
        }
    }

    private IEnumerable<DumpPart> Ranges(uint stream, int at)
    {
        long offset = stream == Memory64List ? (long)U64(at + 8) : 0;
        int count = stream switch
        {
            Memory64List => (int)U64(at),
            MemoryList => (int)U32(at),
            _ => 0,
        };
        for (int i = 0; i < count; i++)
        {
            int range = at + (stream == Memory64List ? 16 : 4) + (i * 16);
            long size = stream == Memory64List ? (long)U64(range + 8) : U32(range + 8);
            long contents = stream == Memory64List ? offset : U32(range + 12);
            yield return Range(i, range, contents, size);
            offset += size;
        }
    }

    private DumpPart Range(int number, int at, long contents, long size)
    {
        ulong start = U64(at);
        byte[] moved = BitConverter.GetBytes(Elsewhere | start);
        string[] names = [.. _known.Where(known => start < known.Start + known.Size && known.Start < start + (ulong)size).Select(known => known.Name).Take(4)];
        return new DumpPart($"range {number}", $"0x{start:x} {(names.Length > 0 ? string.Join(", ", names) : "no file")}", contents, size,
        [
            new Loss("missing", at, moved.Length) { Bytes = moved },
            new Loss("zeroed", contents, size),
        ]);
    }

    private uint U32(int at) => BinaryPrimitives.ReadUInt32LittleEndian(file.AsSpan(at));

    private ulong U64(int at) => BinaryPrimitives.ReadUInt64LittleEndian(file.AsSpan(at));
}
