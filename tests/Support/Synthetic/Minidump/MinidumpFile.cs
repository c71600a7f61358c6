using System.Text;

namespace HangTriage.Tests.Support.Synthetic;

/// <summary>The file under construction: the header, the directory, and what is placed after them.</summary>
internal sealed class MinidumpFile
{
    private const int HeaderSize = 32;
    private const int DirectoryEntrySize = 12;

    private readonly int _streams;
    private readonly ByteWriter _bytes = new();
    private readonly List<(uint Type, uint Size, uint Rva)> _directory = [];
    private readonly List<(int Offset, SyntheticMemory Memory)> _memoryRvas = [];
    private readonly Dictionary<SyntheticMemory, uint> _placed = [];

    public MinidumpFile(int streams, DateTime writtenAt, ulong flags)
    {
        _streams = streams;
        _bytes.U32(0x504D_444D).U32(0x61B1_A793).U32((uint)streams).U32(HeaderSize).U32(0);
        _bytes.U32(WindowsTime.UnixSeconds(writtenAt)).U64(flags);
        _bytes.Zeros(streams * DirectoryEntrySize);
    }

    /// <summary>Places bytes outside the streams and says where.</summary>
    public uint Place(ReadOnlySpan<byte> bytes)
    {
        _bytes.Align(4);
        uint rva = (uint)_bytes.Length;
        _bytes.Bytes(bytes);
        return rva;
    }

    /// <summary>Places a MINIDUMP_STRING: its length in bytes without the terminator, then UTF-16.</summary>
    public uint PlaceString(string text)
    {
        ByteWriter writer = new();
        byte[] characters = Encoding.Unicode.GetBytes(text);
        return Place(writer.U32((uint)characters.Length).Bytes(characters).U16(0).ToArray());
    }

    /// <summary>Places the target's memory, one block after the other without a gap; says where the first lies.</summary>
    public uint PlaceMemory(IEnumerable<SyntheticMemory> blocks)
    {
        _bytes.Align(16);
        uint start = (uint)_bytes.Length;
        foreach (SyntheticMemory block in blocks)
        {
            _placed[block] = (uint)_bytes.Length;
            _bytes.Bytes(block.Bytes);
        }

        return start;
    }

    public uint RvaOf(SyntheticMemory block) => _placed[block];

    public void AddStream(uint type, StreamBody body, StreamLie? lie)
    {
        byte[] bytes = body.Bytes.ToArray();
        uint rva = Place(bytes);
        foreach ((int offset, SyntheticMemory memory) in body.MemoryRvas)
        {
            _memoryRvas.Add(((int)rva + offset, memory));
        }

        Claim(body, lie, (int)rva);
        _directory.Add((lie?.ClaimedType ?? type, lie?.ClaimedSize ?? (uint)bytes.Length, lie?.ClaimedRva ?? rva));
    }

    /// <summary>Makes one entry of the directory point where another does.</summary>
    public void Overlap(MinidumpStream stream, MinidumpStream other)
    {
        int index = _directory.FindIndex(entry => entry.Type == (uint)stream);
        uint rva = _directory.Find(entry => entry.Type == (uint)other).Rva;
        _directory[index] = _directory[index] with { Rva = rva };
    }

    public byte[] Finish()
    {
        foreach ((int offset, SyntheticMemory memory) in _memoryRvas)
        {
            _bytes.PatchU32(offset, _placed.GetValueOrDefault(memory));
        }

        for (int index = 0; index < _streams; index++)
        {
            int at = HeaderSize + (index * DirectoryEntrySize);
            _bytes.PatchU32(at, _directory[index].Type);
            _bytes.PatchU32(at + 4, _directory[index].Size);
            _bytes.PatchU32(at + 8, _directory[index].Rva);
        }

        return _bytes.ToArray();
    }

    private void Claim(StreamBody body, StreamLie? lie, int rva)
    {
        if (lie is null)
        {
            return;
        }

        if (lie.ClaimedCount is ulong count && body.CountIsWide)
        {
            _bytes.PatchU64(rva + body.CountOffset, count);
        }
        else if (lie.ClaimedCount is ulong narrow)
        {
            _bytes.PatchU32(rva + body.CountOffset, (uint)narrow);
        }

        foreach ((int offset, byte[] patch) in lie.Patches)
        {
            _bytes.Patch(rva + offset, patch);
        }
    }
}
