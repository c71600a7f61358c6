using HangTriage.Facts;

namespace HangTriage.Capture.Windows.Live;

/// <summary>What the system says of a thread without stopping it.</summary>
internal sealed record LiveThreadFacts
{
    public required ulong Teb { get; init; }

    public required Known<string> Name { get; init; }

    public required Known<CpuTime> Cpu { get; init; }

    public required Known<DateTimeOffset> StartedAt { get; init; }

    public required Known<Address> StartAddress { get; init; }
}
