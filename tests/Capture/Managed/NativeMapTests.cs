using HangTriage.Capture.Managed.Sources;
using HangTriage.Tests.Support.Dumps;
using Microsoft.Diagnostics.NETCore.Client;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Tests.Capture.Managed;

/// <summary>The map of IL that lies behind compiled code, against the runtime's own answer where there is one.</summary>
public sealed class NativeMapTests
{
    private const int Fewest = 10;

    [Theory]
    [InlineData(TargetFramework.Net8)]
    [InlineData(TargetFramework.Net9, Traits = new[] { "Tier", "all" })]
    [InlineData(TargetFramework.Net10)]
    public async Task Of_code_that_was_made_once_it_is_the_runtimes(TargetFramework framework)
    {
        DumpedProcess process = await Cores.SampleAsync("MonitorDeadlock", framework, DumpType.Full);
        using DataTarget target = DataTarget.LoadDump(process.CorePath);
        using ClrRuntime runtime = target.ClrVersions.Single().CreateRuntime();

        int compared = 0;
        foreach (ClrMethod method in Methods(runtime).Where(method => method.CompilationType == MethodCompilationType.Jit))
        {
            (ulong, int)[] own = [.. NativeMap.Of(method).Select(entry => (entry.Place, entry.IlOffset))];
            (ulong, int)[] known = [.. method.ILOffsetMap.Select(entry => (entry.StartAddress, entry.ILOffset))];
            if (own.Length > 0 && known is [var (start, _), ..] && start == method.HotColdInfo.HotStart)
            {
                Assert.Equal(known, own);
                Assert.Equal(own, NativeMap.Of(method, own.Max(entry => entry.Item1)).Select(entry => (entry.Place, entry.IlOffset)));
                compared++;
            }
        }

        Assert.True(compared >= Fewest, $"{compared} methods were compared");
    }

    private static IEnumerable<ClrMethod> Methods(ClrRuntime runtime)
        => runtime.EnumerateModules()
            .SelectMany(module => module.EnumerateTypeDefToMethodTableMap())
            .Select(pair => runtime.GetTypeByMethodTable(pair.MethodTable))
            .OfType<ClrType>()
            .SelectMany(type => type.Methods);
}
