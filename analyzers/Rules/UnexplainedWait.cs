using HangTriage.Facts;
using HangTriage.Rules.Graph;

namespace HangTriage.Rules;

/// <summary>A thread that waits, and no rule tells why.</summary>
/// <param name="Gap">What is not known of it.</param>
/// <param name="Chain">From the thread to the end of what could be followed; empty where nothing could.</param>
internal sealed record UnexplainedWait(Gap Gap, IReadOnlyList<WaitEdge> Chain);
