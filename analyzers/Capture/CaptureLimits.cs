using System.Diagnostics.CodeAnalysis;

namespace HangTriage.Capture;

/// <summary>
/// Bounds on what a target can make the reader do. A dump is hostile input: every count that it states is checked
/// against one of these, and what is cut is recorded as a gap.
/// </summary>
public sealed record CaptureLimits
{
    public static CaptureLimits Default { get; } = new();

    /// <summary>Streams in a minidump's directory.</summary>
    public int Streams { get; init; } = 4_096;

    public int Threads { get; init; } = 65_536;

    public int Modules { get; init; } = 65_536;

    /// <summary>Bytes of a live process that are copied while it stands still.</summary>
    public long LiveCopyBytes { get; init; } = 4L << 30;

    /// <summary>Ranges of memory that a dump may list.</summary>
    public int MemoryRanges { get; init; } = 8_388_608;

    /// <summary>Frames of one stack.</summary>
    public int FramesPerThread { get; init; } = 1_024;

    /// <summary>Characters of any name that is read.</summary>
    public int NameLength { get; init; } = 1_024;

    /// <summary>A name, no longer than allowed.</summary>
    [return: NotNullIfNotNull(nameof(name))]
    internal string? Cut(string? name) => name?.Length > NameLength ? name[..NameLength] : name;

    /// <summary>Frames of all stacks of a process together: threads can share one stack that lies.</summary>
    public int FramesPerProcess { get; init; } = 2_000_000;

    /// <summary>Exported names of one image.</summary>
    public int ExportsPerModule { get; init; } = 262_144;

    /// <summary>Entries of one image's function table (.pdata).</summary>
    public int FunctionsPerModule { get; init; } = 4_194_304;

    /// <summary>Unwind records that one function may chain.</summary>
    public int UnwindChain { get; init; } = 32;

    /// <summary>Critical sections that a process lists.</summary>
    public int CriticalSections { get; init; } = 262_144;

    /// <summary>Threads that one lock's or one table's chain of waiters may name.</summary>
    public int WaitersPerLock { get; init; } = 65_536;

    /// <summary>Handles that a dump lists.</summary>
    public int Handles { get; init; } = 1_048_576;

    /// <summary>Bytes of one function that are decoded to find loops.</summary>
    public int CodePerFunction { get; init; } = 65_536;

    /// <summary>Bytes of all functions of a process together that are decoded.</summary>
    public int CodePerProcess { get; init; } = 16_777_216;

    public int ManagedLocks { get; init; } = 1_000_000;

    /// <summary>Objects that one thread's stack refers to.</summary>
    public int RootsPerThread { get; init; } = 65_536;

    /// <summary>Hash tables that are checked.</summary>
    public int Collections { get; init; } = 16_777_216;

    /// <summary>Entries of one hash table.</summary>
    public int CollectionEntries { get; init; } = 67_108_864;

    /// <summary>Damaged hash tables that are told of.</summary>
    public int DamagedCollections { get; init; } = 256;

    /// <summary>Tasks, queued items and timers that are followed.</summary>
    public int Tasks { get; init; } = 262_144;

    /// <summary>Objects that one search of the heap may find.</summary>
    public int Referrers { get; init; } = 2_097_152;

    /// <summary>
    /// Bytes of a managed heap that are walked unasked, to list the async methods that are suspended. A warm gigabyte takes
    /// some 0.3 s, a cold one what the disk needs.
    /// </summary>
    public long FlowHeapBytes { get; init; } = 8L << 30;

    /// <summary>Async methods that have begun and not ended; channels; entries of semaphores.</summary>
    public int Flows { get; init; } = 2_000_000;

    /// <summary>Groups of suspended async methods.</summary>
    public int FlowGroups { get; init; } = 512;

    /// <summary>Requests over HTTP that are listed.</summary>
    public int Requests { get; init; } = 4_096;

    /// <summary>Nested waits of one thread.</summary>
    public int WaitsPerThread { get; init; } = 64;

    /// <summary>Bytes that a compressed dump may unpack to.</summary>
    public long UnpackedBytes { get; init; } = 256L << 30;

    /// <summary>Bytes of an image file or PDB, on disk or from a server.</summary>
    public long SymbolFileBytes { get; init; } = 4L << 30;

    /// <summary>Bytes of a portable PDB, unpacked, or of the image that it is embedded in.</summary>
    public long PortablePdbBytes { get; init; } = 256L << 20;

    /// <summary>Names that are read of one PDB.</summary>
    public int SymbolsPerPdb { get; init; } = 8_388_608;

    /// <summary>How long one file may take to download.</summary>
    public TimeSpan SymbolDownload { get; init; } = TimeSpan.FromMinutes(2);

    /// <summary>How long all downloads of one capture may take together.</summary>
    public TimeSpan SymbolDownloads { get; init; } = TimeSpan.FromMinutes(10);

    /// <summary>How long a symbol server may keep silent, before its answer and within it.</summary>
    public TimeSpan SymbolServerSilence { get; init; } = TimeSpan.FromSeconds(15);
}
