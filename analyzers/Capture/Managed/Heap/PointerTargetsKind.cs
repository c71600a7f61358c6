namespace HangTriage.Capture.Managed.Heap;

/// <summary>How it is noted where a block of the heap points to.</summary>
internal enum PointerTargetsKind : byte
{
    /// <summary>The block was not read yet.</summary>
    Unknown,

    /// <summary>The addresses of all that it points to, but for what lies near to it.</summary>
    Addresses,

    /// <summary>A bit for each of the regions that it points to; several regions share a bit.</summary>
    Regions,
}
