using HangTriage.Facts;
using HangTriage.Rules.Policy;

namespace HangTriage.Rules.Time;

/// <summary>In which state a task was in an earlier sample: the first of those in which it was in its state of now, else the last before.</summary>
/// <param name="Between">The time from that sample to the one that is judged.</param>
/// <param name="Samples">In how many samples in a row, the one that is judged among them, it is in its state of now.</param>
/// <param name="StateThen">Its state then.</param>
internal sealed record TaskHistory(Known<TimeSpan> Between, int Samples, TaskState StateThen)
{
    public bool IsSameState => Samples > 1;
}
