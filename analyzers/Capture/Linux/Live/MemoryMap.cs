using System.Globalization;

namespace HangTriage.Capture.Linux.Live;

/// <summary>A range of a process's memory, as a line of /proc/PID/maps states it.</summary>
/// <param name="Start">Its first byte.</param>
/// <param name="End">The byte after its last.</param>
/// <param name="FileOffset">Where it starts in its file.</param>
/// <param name="Path">Its file, as the process has it, or a name of the kernel's in brackets; empty for memory of no file.</param>
internal sealed record MemoryMap(ulong Start, ulong End, ulong FileOffset, string Path)
{
    public bool IsReadable { get; init; }

    public bool IsWritable { get; init; }

    /// <summary>What others write there, the process sees.</summary>
    public bool IsShared { get; init; }

    /// <summary>Memory of no file: what was never touched is zero.</summary>
    public bool IsAnonymous => !IsShared && !IsOfFile;

    public bool IsOfFile => Path.StartsWith('/');

    public ulong Length => End - Start;

    /// <summary>Null for a line that makes no sense.</summary>
    public static MemoryMap? Parse(ReadOnlySpan<char> line)
    {
        // 7f00-7f01 rw-p 00000000 08:01 1234    /path with spaces
        Span<Range> parts = stackalloc Range[6];
        int count = line.Split(parts, ' ', StringSplitOptions.RemoveEmptyEntries);
        if (count < 5)
        {
            return null;
        }

        ReadOnlySpan<char> range = line[parts[0]];
        ReadOnlySpan<char> rights = line[parts[1]];
        int dash = range.IndexOf('-');
        return dash > 0 && rights.Length >= 4
            && Hex(range[..dash], out ulong start) && Hex(range[(dash + 1)..], out ulong end) && Hex(line[parts[2]], out ulong offset) && end > start
            ? new MemoryMap(start, end, offset, count < 6 ? string.Empty : line[parts[5].Start..].Trim().ToString())
            {
                IsReadable = rights[0] == 'r',
                IsWritable = rights[1] == 'w',
                IsShared = rights[3] == 's',
            }
            : null;
    }

    private static bool Hex(ReadOnlySpan<char> text, out ulong value) => ulong.TryParse(text, NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out value);
}
