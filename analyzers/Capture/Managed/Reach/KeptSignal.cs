using HangTriage.Capture.Managed.Code;
using HangTriage.Facts.Calls;

namespace HangTriage.Capture.Managed.Reach;

/// <summary>What has to be signalled by a call.</summary>
/// <param name="Family">The calls.</param>
/// <param name="IsByField">They are made on the object itself, as a field holds it; false for what comes out of a list.</param>
/// <param name="Type">The object's type, where the calls name it.</param>
internal readonly record struct KeptSignal(SignalFamily Family, bool IsByField, ConstructedType? Type = null)
{
    /// <inheritdoc cref="SignalKind.Entry"/>
    public string? Entry { get; init; }

    /// <summary>It is in a list, in a variable or on a stack, and not by this in a field of an object.</summary>
    public bool IsInNoField { get; init; }

    /// <inheritdoc cref="SignalKind.IsOfProgram"/>
    public bool IsOfProgram { get; init; }
}
