namespace HangTriage.Benchmarks;

/// <summary>What a run cost.</summary>
/// <param name="Wall">From its start to its end.</param>
/// <param name="Cpu">Processor time of it and of the processes that it started and waited for.</param>
internal sealed record ProcessCost(TimeSpan Wall, TimeSpan Cpu);
