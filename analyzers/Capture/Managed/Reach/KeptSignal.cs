using HangTriage.Facts.Calls;

namespace HangTriage.Capture.Managed.Reach;

/// <summary>What has to be signalled by a call.</summary>
/// <param name="Family">The calls.</param>
/// <param name="IsByField">They are made on the object itself, as a field holds it; false for what comes out of a list.</param>
internal readonly record struct KeptSignal(SignalFamily Family, bool IsByField);
