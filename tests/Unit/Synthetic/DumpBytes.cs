using HangTriage.Tests.Support.Synthetic;

namespace HangTriage.Tests.Unit.Synthetic;

/// <summary>Just enough reading of a minidump to look at what the writer wrote.</summary>
internal sealed class DumpBytes(byte[] bytes)
{
    public uint U32(int offset) => BitConverter.ToUInt32(bytes, offset);

    public ulong U64(int offset) => BitConverter.ToUInt64(bytes, offset);

    /// <summary>The directory's entry of a stream; null where it has none.</summary>
    public (int Size, int Rva)? Stream(MinidumpStream stream)
    {
        for (int index = 0; index < U32(8); index++)
        {
            int entry = (int)U32(12) + (12 * index);
            if (U32(entry) == (uint)stream)
            {
                return ((int)U32(entry + 4), (int)U32(entry + 8));
            }
        }

        return null;
    }

    public int Rva(MinidumpStream stream) => Stream(stream)!.Value.Rva;

    /// <summary>A word of the target's memory, through the Memory64List; null where it is not in the dump.</summary>
    public ulong? Memory(ulong address)
    {
        int list = Rva(MinidumpStream.Memory64List);
        int position = (int)U64(list + 8);
        for (int index = 0; index < (int)U64(list); index++)
        {
            ulong start = U64(list + 16 + (16 * index));
            ulong size = U64(list + 24 + (16 * index));
            if (address >= start && address + 8 <= start + size)
            {
                return U64(position + (int)(address - start));
            }

            position += (int)size;
        }

        return null;
    }
}
