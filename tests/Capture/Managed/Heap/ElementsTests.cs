using HangTriage.Capture.Managed.Tasks;
using HangTriage.Tests.Support;
using HangTriage.Tests.Support.Dumps;
using Microsoft.Diagnostics.NETCore.Client;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Tests.Capture.Managed.Heap;

/// <summary>Against ClrMD, which knows what an array holds.</summary>
public sealed class ElementsTests
{
    [Fact]
    public async Task An_array_of_structures_has_no_elements_to_follow_and_one_of_references_those_that_ClrMD_finds()
    {
        DumpedProcess process = await Cores.SampleAsync("Healthy", TargetFramework.Net10, DumpType.Full);
        using DataTarget target = DataTarget.LoadDump(process.CorePath);
        using ClrRuntime runtime = target.ClrVersions.Single().CreateRuntime();
        ClrObject[] arrays = [.. runtime.Heap.EnumerateObjects().Where(found => found is { IsFree: false, IsArray: true })];
        ILookup<bool, ClrObject> byKind = arrays.ToLookup(array => array.Type!.ComponentType?.IsObjectReference == true);

        Assert.NotEmpty(byKind[true]);
        Assert.NotEmpty(byKind[false]);
        Assert.All(byKind[false], array => Assert.Empty(array.Elements(int.MaxValue)));
        Assert.All(byKind[true], array => Assert.Equal(
            array.EnumerateReferences().Select(held => held.Address),
            array.Elements(int.MaxValue).Select(held => held.Address)));
    }
}
