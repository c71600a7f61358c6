using HangTriage.Facts;
using HangTriage.Tests.Support.Facts;

namespace HangTriage.Tests.Unit.Policy;

/// <summary>One of two samples, 10 s apart, of a process that is an hour old in the second.</summary>
internal sealed record Moment(bool IsEarlier)
{
    private static readonly TimeSpan s_between = TimeSpan.FromSeconds(10);
    private static readonly TimeSpan s_life = TimeSpan.FromHours(1);

    public static Case Both(Func<SnapshotBuilder> begin, Func<SnapshotBuilder, Moment, SnapshotBuilder> describe)
        => Case.Of([describe(begin().Earlier(s_between), new Moment(true)).Build(), describe(begin(), new Moment(false)).Build()]);

    /// <summary>The second of them alone.</summary>
    public static Case Alone(Func<SnapshotBuilder> begin, Func<SnapshotBuilder, Moment, SnapshotBuilder> describe)
        => Case.Of(describe(begin(), new Moment(false)).Build());

    /// <summary>A thread as old as the process.</summary>
    /// <param name="cpu">Its CPU time in seconds.</param>
    /// <param name="since">How much of that it used since the first sample.</param>
    public ThreadOptions Thread(double cpu = 0, double since = 0) => new()
    {
        Cpu = new CpuTime(TimeSpan.FromSeconds(IsEarlier ? cpu - since : cpu), TimeSpan.Zero),
        Life = IsEarlier ? s_life - s_between : s_life,
    };

    /// <summary>These frames, where it stands in both samples or has come since the first.</summary>
    public string[] At(string[] frames, bool hasMoved) => IsEarlier && hasMoved ? ["app!elsewhere"] : frames;
}
