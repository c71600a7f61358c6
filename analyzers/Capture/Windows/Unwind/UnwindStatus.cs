namespace HangTriage.Capture.Windows.Unwind;

/// <summary>How one step from a frame to its caller ended.</summary>
internal enum UnwindStatus
{
    Done,

    /// <summary>The address lies in no image.</summary>
    OutsideImages,

    /// <summary>The image's function table or the function's unwind data is not in the target's memory.</summary>
    NoUnwindData,

    /// <summary>The unwind data is of a kind that is not known, or chained too often.</summary>
    BadUnwindData,

    /// <summary>A function without unwind data calls nobody, and yet this frame is one that called.</summary>
    LeafThatCalled,

    /// <summary>The function's frame register is not known, since the frames below it were guessed.</summary>
    NoFrameRegister,

    /// <summary>Stack memory is not in the target's memory.</summary>
    NoStack,
}
