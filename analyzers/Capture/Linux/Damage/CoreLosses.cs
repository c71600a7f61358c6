using System.Globalization;
using HangTriage.Facts;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Linux.Damage;

/// <summary>
/// What was asked of a core and is lost. Of a whole core that createdump, gdb or the kernel wrote, none of what is read
/// here is missing, and no range of memory that is read is zero from end to end: seen on every sample, in full cores and
/// in those of the heap.
/// </summary>
internal sealed class CoreLosses(CoreNotes notes)
{
    private const ulong PageSize = 4096;
    private const int MostPages = 1 << 10;

    // Below lies nothing, above the kernel: not an address that was lost, but a word that is none.
    private const ulong Lowest = 0x10000;
    private const ulong Highest = 0x7fff_ffff_ffff;

    // Names of types and fields, which no verdict needs: what it needs of assemblies is on the stacks.
    private readonly IReadOnlyList<MappedRange> _leftOut = notes.LeavesOutAssemblies ? [.. notes.Assemblies] : [];
    private readonly object _lock = new();
    private readonly HashSet<ulong> _asked = [];
    private readonly HashSet<ulong> _cutOff = [];
    private readonly HashSet<ulong> _absent = [];
    private readonly HashSet<ulong> _zeroed = [];

    /// <summary>The same target, of which it is noted here what is lost.</summary>
    public WatchedCore Watch(IDataReader core) => new(core, notes, this);

    /// <summary>The memory at the address is not there.</summary>
    /// <param name="address">The address.</param>
    /// <param name="mayBeLeftOut">A core that is whole need not have it: it is lost only if the core's headers promise it.</param>
    public void NoteMissing(ulong address, bool mayBeLeftOut)
    {
        lock (_lock)
        {
            AddMissing(address, mayBeLeftOut);
        }
    }

    /// <summary>The memory at the address reads as zero, as all of its range does.</summary>
    public void NoteZeroed(ulong address)
    {
        lock (_lock)
        {
            Note(_zeroed, address);
        }
    }

    /// <summary>What was noted of the segment's zeros is no loss.</summary>
    public void ForgiveZeros(ElfSegment segment)
    {
        lock (_lock)
        {
            _zeroed.RemoveWhere(page => page >= segment.Address / PageSize && page * PageSize < segment.Address + segment.FileSize);
        }
    }

    /// <param name="isMini">The core leaves memory out on purpose: what it has not is no loss.</param>
    public IEnumerable<Gap> Gaps(bool isMini)
    {
        if (_cutOff.Count > 0)
        {
            yield return Loss(_cutOff, "lie behind the end of the file: the core is cut off");
        }

        if (_absent.Count > 0 && !isMini)
        {
            yield return Loss(_absent, "are missing: the core is damaged or was not written to its end");
        }

        if (_zeroed.Count > 0)
        {
            yield return Loss(_zeroed, "read as zeros: a part of the core was lost on its way");
        }
    }

    private void AddMissing(ulong address, bool mayBeLeftOut)
    {
        bool isPromised = notes.Memory.Find(address) is not null;
        if (address is < Lowest or > Highest
            || address / PageSize == CoreNotes.DiagnosticsPage64 / PageSize
            || (!isPromised && (mayBeLeftOut || _leftOut.Any(file => address >= file.Start && address < file.End)))
            || _asked.Count == MostPages
            || !_asked.Add(address / PageSize))
        {
            return;
        }

        if (isPromised || notes.IsOfCreatedump || !notes.Files.Any(file => address >= file.Start && address < file.End))
        {
            Note(isPromised ? _cutOff : _absent, address);
        }
    }

    private static void Note(HashSet<ulong> pages, ulong address)
    {
        if (pages.Count < MostPages)
        {
            pages.Add(address / PageSize);
        }
    }

    private static Gap Loss(HashSet<ulong> pages, string what)
        => new(
            "memory that was needed",
            string.Create(CultureInfo.InvariantCulture, $"pages of memory that threads, locks or objects lie in {what}; the first of {pages.Count} is at 0x{pages.Min() * PageSize:x}"))
        {
            IsLoss = true,
        };
}
