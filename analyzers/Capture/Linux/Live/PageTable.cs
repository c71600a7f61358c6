using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;
using HangTriage.Capture.Live;

namespace HangTriage.Capture.Linux.Live;

/// <summary>Says which pages of a process hold something (/proc/PID/pagemap: a word for each page).</summary>
internal sealed class PageTable : IDisposable
{
    public const ulong PageSize = LivePages.PageSize;

    // Bit 63: in memory. Bit 62: in swap space.
    private const ulong HasContents = 3UL << 62;
    private const int PagesAtOnce = 64 * 1024;

    private readonly SafeFileHandle _file;
    private readonly ulong[] _words = new ulong[PagesAtOnce];

    /// <exception cref="IOException">The process is gone, or does not let itself be looked at.</exception>
    /// <exception cref="UnauthorizedAccessException">The process does not let itself be looked at.</exception>
    public PageTable(int process) => _file = File.OpenHandle($"/proc/{process}/pagemap");

    /// <summary>Adds the ranges of pages that hold something to a list, in their order. What it has no time for counts as filled.</summary>
    /// <returns>Their bytes.</returns>
    public ulong AddFilled(MemoryMap map, List<SystemCalls.MemoryRange> ranges, StopClock clock)
    {
        ulong filled = 0;
        SystemCalls.MemoryRange open = default;
        for (ulong at = map.Start; at < map.End;)
        {
            int wanted = (int)Math.Min(PagesAtOnce, (map.End - at) / PageSize);
            Span<ulong> words = _words.AsSpan(0, wanted);
            int read = RandomAccess.Read(_file, MemoryMarshal.AsBytes(words), (long)(at / PageSize * sizeof(ulong))) / sizeof(ulong);
            for (int i = 0; i < read; i++, at += PageSize)
            {
                if ((words[i] & HasContents) != 0)
                {
                    open = open.Length == 0 ? new SystemCalls.MemoryRange { Start = at } : open;
                    open.Length += PageSize;
                    filled += PageSize;
                }
                else
                {
                    Close(ref open, ranges);
                }
            }

            if (read < wanted || clock.IsTimeUp)
            {
                open = open.Length == 0 ? new SystemCalls.MemoryRange { Start = at } : open;
                filled += map.End - at;
                open.Length += map.End - at;
                break;
            }
        }

        Close(ref open, ranges);
        return filled;
    }

    public void Dispose() => _file.Dispose();

    private static void Close(ref SystemCalls.MemoryRange open, List<SystemCalls.MemoryRange> ranges)
    {
        if (open.Length > 0)
        {
            ranges.Add(open);
            open = default;
        }
    }
}
