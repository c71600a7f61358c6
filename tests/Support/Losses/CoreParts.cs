using System.Buffers.Binary;
using System.Text;

namespace HangTriage.Tests.Support.Losses;

/// <summary>The segments of a 64-bit core. Shares no code with the reader.</summary>
internal sealed class CoreParts(byte[] file)
{
    private const uint Load = 1;
    private const uint Note = 4;
    private const uint ThreadStatus = 1;
    private const uint FileTable = 0x46494C45;

    // elf_prstatus of x64: the thread's id, and rsp among the registers.
    private const int ThreadIdAt = 32;
    private const int StackPointerAt = 112 + (19 * sizeof(ulong));

    private readonly List<(ulong Start, ulong End, string Name)> _files = [];
    private readonly List<(uint Thread, ulong StackPointer)> _threads = [];

    public IReadOnlyList<DumpPart> All()
    {
        int table = (int)U64(32);
        int size = BinaryPrimitives.ReadUInt16LittleEndian(file.AsSpan(54));
        int[] headers = [.. Enumerable.Range(0, BinaryPrimitives.ReadUInt16LittleEndian(file.AsSpan(56))).Select(i => table + (i * size))];
        foreach (int header in headers.Where(header => U32(header) == Note))
        {
            ReadNotes((int)U64(header + 8), (int)U64(header + 32));
        }

        return [.. headers.Select(Part).Where(part => part.Size > 0)];

        DumpPart Part(int header, int number)
        {
            uint type = U32(header);
            long offset = (long)U64(header + 8);
            long bytes = type is Load or Note ? (long)U64(header + 32) : 0;
            string holds = type == Note ? "notes" : Holds(U64(header + 16), (ulong)bytes, U32(header + 4));
            return new DumpPart($"segment {number}", holds, offset, bytes,
            [
                new Loss("missing", header + 32, sizeof(ulong)),
                new Loss("no header", header, size),
                new Loss("zeroed", offset, bytes),
            ]);
        }
    }

    private string Holds(ulong start, ulong size, uint flags)
    {
        string access = $"{((flags & 4) != 0 ? 'r' : '-')}{((flags & 2) != 0 ? 'w' : '-')}{((flags & 1) != 0 ? 'x' : '-')}";
        string[] stacks = [.. _threads.Where(thread => thread.StackPointer - start < size).Select(thread => $"stack of 0x{thread.Thread:x}")];
        string? mapped = _files.FirstOrDefault(range => start < range.End && range.Start < start + size).Name;
        return $"{access} 0x{start:x} {(stacks.Length > 0 ? string.Join(", ", stacks) : mapped ?? "no file")}";
    }

    private void ReadNotes(int at, int size)
    {
        for (int end = at + size; at + 12 <= end;)
        {
            int owner = Align((int)U32(at));
            int length = (int)U32(at + 4);
            uint type = U32(at + 8);
            int contents = at + 12 + owner;
            if (type == ThreadStatus && length > StackPointerAt)
            {
                _threads.Add((U32(contents + ThreadIdAt), U64(contents + StackPointerAt)));
            }
            else if (type == FileTable)
            {
                ReadFiles(contents);
            }

            at = contents + Align(length);
        }
    }

    // A count and the page size; start, end and page of each range; their paths, each with a zero behind.
    private void ReadFiles(int at)
    {
        int count = (int)U64(at);
        int path = at + 16 + (count * 24);
        for (int i = 0; i < count; i++)
        {
            int end = Array.IndexOf(file, (byte)0, path);
            string name = Path.GetFileName(Encoding.UTF8.GetString(file, path, end - path));
            _files.Add((U64(at + 16 + (i * 24)), U64(at + 24 + (i * 24)), name));
            path = end + 1;
        }
    }

    private static int Align(int size) => (size + 3) & ~3;

    private uint U32(int at) => BinaryPrimitives.ReadUInt32LittleEndian(file.AsSpan(at));

    private ulong U64(int at) => BinaryPrimitives.ReadUInt64LittleEndian(file.AsSpan(at));
}
