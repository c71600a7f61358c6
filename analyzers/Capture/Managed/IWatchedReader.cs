using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed;

/// <summary>A reader that notes what is asked of it and is lost.</summary>
internal interface IWatchedReader
{
    /// <summary>The same target without notes, for addresses that are only guessed.</summary>
    IDataReader Unwatched { get; }

    /// <summary>What is asked for now may be missing in an input that is whole.</summary>
    bool IsOptional { get; set; }

    /// <summary>The address was needed, and a read that asked for more than is needed ended before it.</summary>
    void NoteMissing(ulong address);

    /// <summary>An object is being made at the address: that all of the range it lies in is zero is no loss.</summary>
    void NoteUnused(ulong address);
}
