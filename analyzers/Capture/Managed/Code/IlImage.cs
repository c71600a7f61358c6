using System.Buffers.Binary;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Code;

/// <summary>
/// Where the instructions of a module lie in memory, by the headers of its image (Microsoft's PE format: the header's place at 0x3C,
/// section headers of 40 bytes behind the optional header).
/// </summary>
internal static class IlImage
{
    private const int Headers = 4096;
    private const int HeaderAt = 0x3C;
    private const int FileHeader = 24;
    private const int SectionHeader = 40;
    private const int MostSections = 96;

    /// <param name="reader">The target's memory.</param>
    /// <param name="image">Where the image begins.</param>
    /// <param name="place">The relative address of a method in it.</param>
    /// <returns>
    /// What is to be added to that address, as the image can be mapped as a file or as the system loads it; empty where the headers are not
    /// in the input.
    /// </returns>
    public static IReadOnlyList<ulong> StartsOf(IDataReader reader, ulong image, int place)
    {
        byte[] bytes = new byte[Headers];
        if (image == 0 || reader.Read(image, bytes) != Headers)
        {
            return [];
        }

        int header = Read(bytes, HeaderAt);
        int sections = header + FileHeader + (Read(bytes, header + FileHeader - sizeof(int)) & ushort.MaxValue);
        for (int index = 0; index < MostSections && index < (Read(bytes, header + 6) & ushort.MaxValue); index++)
        {
            int at = sections + (index * SectionHeader);
            int virtualSize = Read(bytes, at + 8);
            int virtualAddress = Read(bytes, at + 12);
            if (place >= virtualAddress && place - virtualAddress < virtualSize)
            {
                return [unchecked(image + (ulong)Read(bytes, at + 20) - (ulong)virtualAddress), image];
            }
        }

        return [];
    }

    private static int Read(byte[] bytes, int at)
        => at >= 0 && at <= bytes.Length - sizeof(int) ? BinaryPrimitives.ReadInt32LittleEndian(bytes.AsSpan(at)) : 0;
}
