using HangTriage.Capture;
using HangTriage.Capture.Managed.Heap;
using HangTriage.Tests.Support;
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

    [Fact]
    public async Task A_hole_in_the_heap_hides_no_referrer_behind_it()
    {
        DumpedProcess process = await Cores.SampleAsync("Healthy", TargetFramework.Net10, DumpType.Full);
        using TemporaryFolder folder = new();
        HashSet<ulong> wanted;
        HashSet<(ulong Referrer, ulong Target)> expected;
        ulong hole;
        using (DataTarget target = DataTarget.LoadDump(process.CorePath))
        {
            using ClrRuntime runtime = target.ClrVersions.Single().CreateRuntime();
            // A collection can have come before the core: the objects are then of an older generation.
            ClrObject[] objects = runtime.Heap.Segments
                .Where(found => found.Kind is GCSegmentKind.Generation0 or GCSegmentKind.Generation1 or GCSegmentKind.Generation2)
                .Select(segment => segment.EnumerateObjects().Where(found => !found.IsFree).ToArray())
                .MaxBy(found => found.Length)!;
            ClrObject lost = objects.Skip(objects.Length / 10).First(found => found.Type!.IsString && found.Size is > 24 and < 64);
            wanted = [.. objects.Where(found => found.Address > lost.Address).Select(found => found.Address)];
            expected = Found(runtime, wanted);
            hole = lost.Address;
            File.Copy(process.CorePath, folder["hole.core"]);
            await WriteAsync(folder["hole.core"], lost.Address, new byte[lost.Size]);
        }

        using DataTarget damaged = DataTarget.LoadDump(folder["hole.core"]);
        using ClrRuntime withHole = damaged.ClrVersions.Single().CreateRuntime();

        HashSet<(ulong Referrer, ulong)> seen = Found(withHole, wanted);

        Assert.Equal(0UL, withHole.Heap.GetObject(hole).Type?.MethodTable ?? 0);
        Assert.Contains(expected, pair => wanted.Contains(pair.Referrer));
        Assert.Equal(expected, seen);
    }

    [Fact]
    public async Task What_a_buffer_happens_to_have_is_no_reference()
    {
        DumpedProcess process = await Cores.SampleAsync("Healthy", TargetFramework.Net10, DumpType.Full);
        using TemporaryFolder folder = new();
        ClrObject buffer, wanted;
        using (DataTarget target = DataTarget.LoadDump(process.CorePath))
        {
            using ClrRuntime runtime = target.ClrVersions.Single().CreateRuntime();
            buffer = runtime.Heap.EnumerateObjects().First(found => found.Type?.Name == "System.Byte[]" && found.Size > 64);
            wanted = runtime.Heap.EnumerateObjects().First(found => found.IsValid && !found.IsFree && found.Size > 24);
            File.Copy(process.CorePath, folder["buffer.core"]);
        }

        // Behind the type and the length; a buffer of the runtime's is not cleared when it is made.
        await WriteAsync(folder["buffer.core"], buffer.Address + 16, BitConverter.GetBytes(wanted.Address));
        using DataTarget changed = DataTarget.LoadDump(folder["buffer.core"]);
        using ClrRuntime withAddress = changed.ClrVersions.Single().CreateRuntime();

        Assert.Equal(wanted.Address, BitConverter.ToUInt64(withAddress.Heap.GetObject(buffer.Address).AsArray().ReadValues<byte>(0, 8)!));
        Assert.DoesNotContain(Found(withAddress, [wanted.Address]), pair => pair.Referrer == buffer.Address);
    }

    private static HashSet<(ulong Referrer, ulong Target)> Found(ClrRuntime runtime, HashSet<ulong> wanted)
        => [.. new ReferrerScan(runtime, MapOf(runtime), new KnownReferrers(), CaptureContext.Default).Find(wanted).Select(hit => (hit.Referrer.Address, hit.Target))];

    /// <summary>Changes memory in the core: its program headers (56 bytes each behind the header's 64) say where that is.</summary>
    private static async Task WriteAsync(string core, ulong address, byte[] content)
    {
        await using FileStream file = File.Open(core, FileMode.Open, FileAccess.ReadWrite);
        byte[] header = new byte[64];
        await file.ReadExactlyAsync(header, TestContext.Current.CancellationToken);
        byte[] segments = new byte[56 * BitConverter.ToUInt16(header, 56)];
        file.Position = BitConverter.ToInt64(header, 32);
        await file.ReadExactlyAsync(segments, TestContext.Current.CancellationToken);
        int at = Enumerable.Range(0, segments.Length / 56).Select(i => i * 56).Single(i =>
            BitConverter.ToUInt32(segments, i) == 1 && address - BitConverter.ToUInt64(segments, i + 16) < BitConverter.ToUInt64(segments, i + 32));
        file.Position = BitConverter.ToInt64(segments, at + 8) + (long)(address - BitConverter.ToUInt64(segments, at + 16));
        await file.WriteAsync(content, TestContext.Current.CancellationToken);
    }

    private static PointerMap MapOf(ClrRuntime runtime)
        => new([.. runtime.Heap.Segments.Select(segment => segment.ObjectRange)], runtime.DataTarget.DataReader.PointerSize);
}
