namespace HangTriage.Capture.Windows.Code;

/// <summary>Where control goes behind an instruction.</summary>
internal enum CodeFlow
{
    /// <summary>To the next instruction; calls come back to it.</summary>
    Next,

    /// <summary>To a fixed place.</summary>
    Jump,

    /// <summary>To a fixed place, or to the next instruction.</summary>
    Branch,

    /// <summary>To a place that is computed.</summary>
    Computed,

    /// <summary>Out of the function.</summary>
    Leaves,
}
