namespace HangTriage.Traces;

/// <summary>Bounds on what a trace may make the reader keep; a trace beyond them is read, and what is left out is counted.</summary>
public sealed record TraceLimits
{
    /// <summary>Unpacked size of a compressed file, in bytes.</summary>
    public long UnpackedBytes { get; init; } = 64L << 30;

    /// <summary>Size of one buffer on disk or unpacked, in bytes. Windows allows 16 MB.</summary>
    public int BufferBytes { get; init; } = 16 << 20;

    /// <summary>Unpacked buffers that are held at once, in bytes: one for each processor and session in traces that Windows wrote.</summary>
    public long OpenBytes { get; init; } = 192L << 20;

    /// <summary>Buffers of one file: 64 GB of buffers of 64 KB.</summary>
    public int Buffers { get; init; } = 1 << 20;

    /// <summary>Threads that ever were in the trace.</summary>
    public int Threads { get; init; } = 100_000;

    /// <summary>Processes that ever were in the trace.</summary>
    public int Processes { get; init; } = 20_000;

    /// <summary>Loaded images over all processes.</summary>
    public int Images { get; init; } = 200_000;

    /// <summary>Methods that a runtime compiled or listed, over all processes.</summary>
    public int Methods { get; init; } = 500_000;

    /// <summary>Names of files.</summary>
    public int FileNames { get; init; } = 100_000;

    /// <summary>Files that one thread reads or writes, of which each is counted for itself.</summary>
    public int FilesPerThread { get; init; } = 256;

    /// <summary>Kinds of events that are counted by name.</summary>
    public int EventKinds { get; init; } = 10_000;

    /// <summary>Different frames of stacks (nodes of the tree of all stacks).</summary>
    public int StackNodes { get; init; } = 500_000;

    /// <summary>Stacks that events name by a key.</summary>
    public int StackKeys { get; init; } = 200_000;

    /// <summary>Frames of one stack. Windows records at most 192 for each of kernel and user mode.</summary>
    public int FramesPerStack { get; init; } = 512;

    public static TraceLimits Default { get; } = new();
}
