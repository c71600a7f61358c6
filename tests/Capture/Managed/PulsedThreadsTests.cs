using HangTriage.Capture;
using HangTriage.Capture.Managed;
using HangTriage.Capture.Managed.Locks;
using HangTriage.Tests.Support.Dumps;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Tests.Capture.Managed;

/// <summary>A real core of two threads that wait for a pulse, whose runtime is made to forget one or both.</summary>
public sealed class PulsedThreadsTests
{
    [Theory]
    [InlineData(TargetFramework.Net8)]
    [InlineData(TargetFramework.Net10)]
    public async Task Who_is_in_no_list_has_got_its_pulse(TargetFramework framework)
    {
        using DataTarget target = DataTarget.LoadDump((await Cores.LockWaitsAsync(framework)).CorePath);
        using ClrRuntime runtime = target.ClrVersions.Single().CreateRuntime();
        ulong[] threads = [.. runtime.Threads.Where(thread => thread.IsAlive).Select(thread => thread.Address)];
        IDataReader core = target.DataReader;
        (ulong Thread, ulong Link, ulong Block)[] links = [.. threads.SelectMany(thread => LinksOf(core, thread)).Where(IsListed)];
        Assert.Equal(2, links.Length);
        Assert.Equal(links[0].Block, links[1].Block);
        (ulong first, ulong second) = core.ReadPointer(links[0].Link + (4 * sizeof(ulong))) == 0
            ? (links[1].Thread, links[0].Thread)
            : (links[0].Thread, links[1].Thread);
        ulong block = links[0].Block;
        ulong head = HeadOf(block);

        Assert.Equal((false, false), Ask(core));
        Assert.Equal((true, true), Ask(new Changed(core, head, 0)));
        Assert.Equal((true, false), Ask(new Changed(core, head, core.ReadPointer(core.ReadPointer(head)))));

        (bool, bool) Ask(IDataReader reader)
        {
            PulsedThreads pulsed = new(reader, threads);
            return (pulsed.IsPulsed(first, block, []), pulsed.IsPulsed(second, block, []));
        }

        bool IsListed((ulong Thread, ulong Link, ulong Block) link) => HeadOf(link.Block) != 0;

        // Which word of the sync block leads to the first link.
        ulong HeadOf(ulong of) => Enumerable.Range(3, 10).Select(word => of + (ulong)(word * sizeof(ulong)))
            .FirstOrDefault(at => core.ReadPointer(at) is > 32 and { } next
                && core.ReadPointer(next - 32) == of && threads.Contains(core.ReadPointer(next - 16)));
    }

    [Fact]
    public async Task Whose_link_is_gone_has_got_its_pulse_where_another_shows_where_it_would_be()
    {
        using DataTarget target = DataTarget.LoadDump((await Cores.LockWaitsAsync(TargetFramework.Net10)).CorePath);
        using ClrRuntime runtime = target.ClrVersions.Single().CreateRuntime();
        ulong[] threads = [.. runtime.Threads.Where(thread => thread.IsAlive).Select(thread => thread.Address)];
        (ulong Thread, ulong Link, ulong Block)[] links = [.. threads.SelectMany(thread => LinksOf(target.DataReader, thread))];
        ulong other = threads.First(thread => links.All(link => link.Thread != thread));
        PulsedThreads pulsed = new(target.DataReader, threads);

        Assert.True(pulsed.IsPulsed(other, links[0].Block, [(links[0].Thread, links[0].Block)]));
        Assert.False(pulsed.IsPulsed(other, links[0].Block, []));
    }

    // WaitEventLink of the runtime's threads.h: sync block, event, thread, next of the thread, next of the object.
    private static IEnumerable<(ulong Thread, ulong Link, ulong Block)> LinksOf(IDataReader core, ulong thread)
        => Enumerable.Range(1, 0xBF).Select(word => core.ReadPointer(thread + (ulong)(word * sizeof(ulong))))
            .Where(link => link > 0xFFFF && core.ReadPointer(link + 16) == thread && core.ReadPointer(link) is > 0xFFFF)
            .Select(link => (thread, link, core.ReadPointer(link)));

    private sealed class Changed(IDataReader core, ulong place, ulong value) : ForwardingReader(core)
    {
        public override int Read(ulong address, Span<byte> buffer)
        {
            int count = base.Read(address, buffer);
            for (int i = 0; i < count; i++)
            {
                ulong at = unchecked(address + (ulong)i - place);
                if (at < sizeof(ulong))
                {
                    buffer[i] = (byte)(value >> (int)(8 * at));
                }
            }

            return count;
        }
    }
}
