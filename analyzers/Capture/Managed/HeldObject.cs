using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed;

/// <summary>An object that a thread's stack refers to.</summary>
/// <param name="Object">The object; where the reference is an interior one, what it points at.</param>
/// <param name="Frame">The frame that holds it; null where none is known.</param>
/// <param name="IsInterior">The reference points into an object, not at its start.</param>
internal readonly record struct HeldObject(ClrObject Object, ClrStackFrame? Frame, bool IsInterior);
