using HangTriage.Capture.Managed.Tasks;
using HangTriage.Tests.Support.Dumps;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Tests.Capture.Managed;

/// <summary>Which method a delegate stands for, of a program that has lambdas and a compiled expression that was never called.</summary>
public sealed class DelegateMethodTests
{
    [Fact]
    public async Task Of_code_that_was_made_at_run_time_it_is_not_asked()
    {
        DumpedProcess process = await Cores.TargetAsync("GivenSignals", TargetFramework.Net10);
        using DataTarget target = DataTarget.LoadDump(process.CorePath);
        using ClrRuntime runtime = target.ClrVersions.Single().CreateRuntime();
        ClrObject[] delegates = [.. runtime.Heap.EnumerateObjects().Where(found => found is { IsValid: true, IsDelegate: true })];

        ClrObject made = Assert.Single(
            delegates, found => found.Reference("_target").Type?.Name?.EndsWith(".Closure", StringComparison.Ordinal) == true);

        Assert.Null(DelegateMethod.TargetOf(made));
        Assert.Contains(delegates, found => DelegateMethod.Of(found)?.Name?.Contains("<Hatches>", StringComparison.Ordinal) == true);
    }
}
