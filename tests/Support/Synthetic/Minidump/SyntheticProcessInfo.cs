namespace HangTriage.Tests.Support.Synthetic;

/// <summary>What the MiscInfo stream says of the process. Its times are in whole seconds there.</summary>
public sealed record SyntheticProcessInfo
{
    public uint Pid { get; init; } = 0x1A2C;

    public DateTime CreatedAt { get; init; } = new(2017, 3, 1, 9, 0, 0, DateTimeKind.Utc);

    public TimeSpan UserTime { get; init; }

    public TimeSpan KernelTime { get; init; }
}
