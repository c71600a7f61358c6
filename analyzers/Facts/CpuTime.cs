namespace HangTriage.Facts;

/// <summary>Processor time that a thread has used since it started.</summary>
public sealed record CpuTime(TimeSpan User, TimeSpan Kernel)
{
    public TimeSpan Total() => User + Kernel;
}
