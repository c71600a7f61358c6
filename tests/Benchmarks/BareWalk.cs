using System.Buffers.Binary;
using System.Globalization;
using HangTriage.Traces.Etl;

namespace HangTriage.Benchmarks;

/// <summary>Reads an .etl file buffer by buffer, unpacks those that are packed, and steps from event to event; it decodes none.</summary>
internal static class BareWalk
{
    public const string Command = "walk";

    private const int HeaderLength = 0x48;
    private const int Largest = 1 << 20;

    public static int Run(string path, TextWriter output)
    {
        using FileStream file = new(path, FileMode.Open, FileAccess.Read, FileShare.Read, bufferSize: 1 << 20);
        byte[] stored = new byte[Largest];
        byte[] unpacked = new byte[Largest];
        long events = 0;
        while (file.ReadAtLeast(stored.AsSpan(0, HeaderLength), HeaderLength, throwOnEndOfStream: false) == HeaderLength)
        {
            int size = BinaryPrimitives.ReadInt32LittleEndian(stored);
            int end = BinaryPrimitives.ReadInt32LittleEndian(stored.AsSpan(4));
            file.ReadExactly(stored.AsSpan(HeaderLength, size - HeaderLength));
            bool isPacked = (stored[52] & 0x40) != 0;
            if (isPacked)
            {
                _ = Xpress.Unpack(stored.AsSpan(HeaderLength, size - HeaderLength), unpacked.AsSpan(HeaderLength, end - HeaderLength));
            }

            events += Step(isPacked ? unpacked : stored, end);
        }

        output.WriteLine(events.ToString(CultureInfo.InvariantCulture));
        return 0;
    }

    private static long Step(byte[] buffer, int end)
    {
        long events = 0;
        for (int at = HeaderLength; at + 8 <= end;)
        {
            int size = BinaryPrimitives.ReadUInt16LittleEndian(buffer.AsSpan(at + 4));
            if (size == 0)
            {
                break;
            }

            events++;
            at += (size + 7) & ~7;
        }

        return events;
    }
}
