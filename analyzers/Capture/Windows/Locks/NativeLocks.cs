using HangTriage.Facts;

namespace HangTriage.Capture.Windows.Locks;

/// <summary>What <see cref="LockReader"/> found, and what it could not.</summary>
internal sealed record NativeLocks(
    Known<IReadOnlyList<LockFacts>> Locks, Known<IReadOnlyList<WaitFacts>> Waits, IReadOnlyList<Gap> Gaps);
