using HangTriage.Capture;
using HangTriage.Capture.Managed;
using HangTriage.Capture.Managed.Heap;
using HangTriage.Facts;
using HangTriage.Tests.Support.Dumps;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Tests.Capture.Managed.Heap;

/// <summary>A core whose heap has a place that no object stands at, as while a thread allocates a large one.</summary>
public sealed class ObjectsBeingMadeTests
{
    private const ulong BelowCaller = 0x298;

    [Theory]
    [InlineData(true, true)]
    [InlineData(true, false)]
    [InlineData(false, true)]
    public async Task The_place_is_no_gap_where_a_thread_at_work_in_the_runtime_has_its_address(bool isInRuntime, bool hasAddress)
    {
        DumpedProcess process = await Cores.TargetAsync("TightLoop", TargetFramework.Net10);
        using DataTarget target = DataTarget.LoadDump(process.CorePath);
        using ClrRuntime whole = target.ClrVersions.Single().CreateRuntime();
        ClrObject[] objects = [.. whole.Heap.EnumerateObjects().Where(found => !found.IsFree)];
        int index = Array.FindIndex(objects, IsRow) + 1;
        Assert.True(IsRow(objects[index]) && IsRow(objects[index + 1]));
        ClrObject lost = objects[index];
        ClrThread spinner = whole.Threads.First(thread => thread is { IsAlive: true, GCMode: GCMode.Cooperative });
        ulong sp = ThreadRegisters.Of(target.DataReader, spinner.OSThreadId)!.Value.Sp;

        HalfMadeObject reader = new(
            target.DataReader, (lost.Address, lost.Size), hasAddress ? sp - BelowCaller : 0, isInRuntime ? spinner.OSThreadId : 0);
        using DataTarget damaged = ClrTarget.Open(reader, CaptureContext.Default.Limits);
        using ClrRuntime runtime = damaged.ClrVersions.Single().CreateRuntime();
        ObjectList list = new(_ => true);

        IReadOnlyList<Gap> gaps = HeapWalk.Run(runtime, CaptureContext.Default, [list]);

        Assert.Equal(isInRuntime && hasAddress, gaps.Count == 0);
        Assert.DoesNotContain(lost.Address, list.Objects.Select(found => found.Address));
        Assert.Equal(objects[index + 1].Address, list.Objects[index].Address);
    }

    private static bool IsRow(ClrObject found) => found is { IsArray: true, Type.Name: "System.Int64[]" } && found.AsArray().Length == 100;

    /// <summary>Zeros in place of an object, whose address stands in a stack.</summary>
    private sealed class HalfMadeObject(IDataReader core, (ulong Address, ulong Size) lost, ulong slot, uint thread)
        : ForwardingReader(core), IContextStandIn
    {
        public override int Read(ulong address, Span<byte> buffer)
        {
            int count = base.Read(address, buffer);
            for (int i = 0; i < count; i++)
            {
                ulong at = address + (ulong)i;
                if (at - lost.Address < lost.Size)
                {
                    buffer[i] = 0;
                }
                else if (at - slot < sizeof(ulong))
                {
                    buffer[i] = (byte)(lost.Address >> (int)(8 * (at - slot)));
                }
            }

            return count;
        }

        public void StandIn(uint thread, byte[] context) => throw new NotSupportedException();

        public bool HasStandIn(uint other) => other == thread;
    }
}
