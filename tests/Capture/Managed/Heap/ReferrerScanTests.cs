using HangTriage.Capture;
using HangTriage.Capture.Managed.Heap;
using HangTriage.Tests.Support.Dumps;
using Microsoft.Diagnostics.NETCore.Client;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Tests.Capture.Managed.Heap;

/// <summary>Against ClrMD, which parses every object for its references.</summary>
public sealed class ReferrerScanTests
{
    [Fact]
    public async Task Each_search_finds_what_ClrMD_finds_whatever_was_searched_before()
    {
        DumpedProcess process = await Cores.SampleAsync("Healthy", TargetFramework.Net10, DumpType.Full);
        using DataTarget target = DataTarget.LoadDump(process.CorePath);
        using ClrRuntime runtime = target.ClrVersions.Single().CreateRuntime();
        ClrObject[] objects = [.. runtime.Heap.EnumerateObjects().Where(found => !found.IsFree)];
        ILookup<ulong, ulong> referrers = objects
            .SelectMany(from => from.EnumerateReferences().Select(to => (From: from.Address, To: to.Address)))
            .Where(pair => pair.From != pair.To)
            .Distinct()
            .ToLookup(pair => pair.To, pair => pair.From);
        PointerMap pointers = MapOf(runtime);

        // From one object to a third of them, near to each other and far.
        foreach (int step in new[] { objects.Length, 997, 211, 3 })
        {
            HashSet<ulong> wanted = [.. objects.Where((_, index) => index % step == step / 2).Select(found => found.Address)];
            ReferrerScan scan = new(runtime, pointers, new KnownReferrers(), CaptureContext.Default);

            ILookup<ulong, ulong> found = scan.Find(wanted).ToLookup(hit => hit.Target, hit => hit.Referrer.Address);

            Assert.False(scan.IsIncomplete);
            Assert.All(wanted, address => Assert.Subset(found[address].ToHashSet(), referrers[address].ToHashSet()));
            Assert.Equal(
                new ReferrerScan(runtime, MapOf(runtime), new KnownReferrers(), CaptureContext.Default).Find(wanted).Select(hit => (hit.Referrer.Address, hit.Target)),
                new ReferrerScan(runtime, pointers, new KnownReferrers(), CaptureContext.Default).Find(wanted).Select(hit => (hit.Referrer.Address, hit.Target)));
        }
    }

    private static PointerMap MapOf(ClrRuntime runtime)
        => new([.. runtime.Heap.Segments.Select(segment => segment.ObjectRange)], runtime.DataTarget.DataReader.PointerSize);
}
