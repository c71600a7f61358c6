namespace HangTriage.Tests.Support.Synthetic;

/// <summary>Which of a process's memory goes into the dump.</summary>
[Flags]
public enum SyntheticContents
{
    None = 0,
    Stacks = 1,
    Images = 2,

    /// <summary>The PEB and the TEBs.</summary>
    Blocks = 4,

    /// <summary>What was allocated with <see cref="SyntheticProcess.Allocate"/>.</summary>
    Heap = 8,

    /// <summary>The data sections of images that are not in the dump as a whole.</summary>
    ImageData = 16,
    All = Stacks | Images | Blocks | Heap | ImageData,
}
