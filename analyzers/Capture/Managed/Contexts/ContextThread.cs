using HangTriage.Facts;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Contexts;

/// <summary>The one thread that runs what is posted to a context.</summary>
/// <param name="Thread">The thread.</param>
/// <param name="Loop">Its method that takes what is posted; null where none was recognised.</param>
/// <param name="Trust">Read where the context names its thread.</param>
/// <param name="Source">How the two belong together.</param>
internal sealed record ContextThread(ClrThread Thread, string? Loop, Trust Trust, string Source);
