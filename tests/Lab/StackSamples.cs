using HangTriage.Tests.Support;
using HangTriage.Tests.Support.Dumps;
using HangTriage.Tests.Support.Samples;

namespace HangTriage.Tests.Lab;

/// <summary>The .NET samples whose stacks are compared: in the gate one of each kind of call into the runtime.</summary>
internal static class StackSamples
{
    public static IEnumerable<string> All { get; } =
        SampleList.Managed
            .Where(sample => !ExpectedCell.Of(sample, "net10.0", DumpKind.Windows).IsSkipped)
            .Where(sample => Tier.IsWhole || GatePrograms.Stacks.Contains(sample));
}
