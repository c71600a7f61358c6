using HangTriage.Facts;
using HangTriage.Rules.Policy;

namespace HangTriage.Rules.Time;

/// <summary>Who held a lock in an earlier sample: the first of those in which its owner of now held it, else the last before.</summary>
/// <param name="Between">The time from that sample to the one that is judged.</param>
/// <param name="Samples">In how many samples in a row, the one that is judged among them, its owner of now holds it.</param>
/// <param name="OwnerThen">Who held it then; null where nobody did.</param>
/// <param name="HolderThen">That thread in that sample; null where it is not among its threads.</param>
internal sealed record LockHistory(Known<TimeSpan> Between, int Samples, ThreadId? OwnerThen, ThreadFacts? HolderThen)
{
    /// <summary>The owner of now held it then; whether it gave it back and took it again in between is in no sample.</summary>
    public bool IsSameOwner => Samples > 1;
}
