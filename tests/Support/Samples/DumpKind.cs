namespace HangTriage.Tests.Support.Samples;

/// <summary>What a sample is dumped as, and where the dump is read.</summary>
public enum DumpKind
{
    /// <summary>A Linux core with all memory.</summary>
    Full,

    /// <summary>A Linux core with the managed heap.</summary>
    Heap,

    /// <summary>A Linux core with stacks alone.</summary>
    Mini,

    /// <summary>A minidump with all memory, read on Windows.</summary>
    Windows,

    /// <summary>The same minidump, read on Linux, where its managed half cannot be.</summary>
    WindowsOnLinux,
}
