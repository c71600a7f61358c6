using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Reading;

/// <summary>A reader that notes what is asked of it and is lost.</summary>
internal interface IWatchedReader
{
    /// <summary>The same target without notes, for addresses that are only guessed.</summary>
    IDataReader Unwatched { get; }

    /// <summary>A reader of the same target for what is only guessed: what that leads to is no loss.</summary>
    static IDataReader Guessing(IDataReader reader) => (reader as IWatchedReader)?.Unwatched ?? reader;

    /// <summary>What is asked for now may be missing in an input that is whole.</summary>
    bool IsOptional { get; set; }

    /// <summary>The address was needed, and a read that asked for more than is needed ended before it.</summary>
    void NoteMissing(ulong address);

    /// <summary>An object is being made at the address: that all of the range it lies in is zero is no loss.</summary>
    void NoteUnused(ulong address);
}
