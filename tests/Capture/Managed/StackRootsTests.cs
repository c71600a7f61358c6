using HangTriage.Capture;
using HangTriage.Capture.Linux;
using HangTriage.Capture.Linux.Damage;
using HangTriage.Capture.Managed;
using HangTriage.Facts;
using HangTriage.Tests.Support;
using HangTriage.Tests.Support.Dumps;
using Microsoft.Diagnostics.NETCore.Client;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Tests.Capture.Managed;

/// <summary>The words of a stack that are taken for objects where the runtime's own reader cannot be asked.</summary>
public sealed class StackRootsTests : IDisposable
{
    // No range of the core has it.
    private const ulong Nowhere = 0x1234_5678_9000;

    // Behind its type and length, aligned as an object is.
    private const ulong TextOffset = 24;

    // Of a method table: the link to the canonical one, whose lowest bit says that it is one.
    private const ulong CanonicalTable = 0x28;

    private readonly TemporaryFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Fact]
    public async Task A_word_that_only_looks_like_the_address_of_an_object_is_no_loss()
    {
        DumpedProcess process = await Cores.SampleAsync("MonitorDeadlock", TargetFramework.Net10, DumpType.WithHeap);
        (ulong word, ulong text) = Places(process.CorePath);

        // One word is a text's address. The other leads into it, to where it has, as an object would its type, an address of nothing.
        ulong within = text + TextOffset;
        string changed = _folder["changed.core"];
        ChangedCore.Write(process.CorePath, changed, (within, Nowhere), (word, within), (word + sizeof(ulong), text));

        (IReadOnlyList<ulong> roots, IReadOnlyList<Gap> losses) = Read(changed, word);
        Assert.Contains(text, roots);
        Assert.DoesNotContain(within, roots);
        Assert.Empty(losses);
    }

    // The library of .NET 8 ends the whole process that asks it for the type of such a word.
    [Fact]
    public async Task A_word_that_leads_to_what_a_runtimes_library_falls_over_is_not_asked_for()
    {
        DumpedProcess process = await Cores.SampleAsync("MonitorDeadlock", TargetFramework.Net8, DumpType.WithHeap);
        (ulong word, ulong text) = Places(process.CorePath);
        ulong within = text + TextOffset;
        ulong table = within + sizeof(ulong);
        string changed = _folder["changed.core"];
        ChangedCore.Write(
            process.CorePath, changed, (within, table), (table + CanonicalTable, 1), (word, within), (word + sizeof(ulong), text));

        (IReadOnlyList<ulong> roots, _) = Read(changed, word);

        Assert.Contains(text, roots);
        Assert.DoesNotContain(within, roots);
    }

    // A word of a stack that is scanned, and a text.
    private static (ulong Word, ulong Text) Places(string core)
    {
        using DataTarget target = DataTarget.LoadDump(core);
        using ClrRuntime runtime = target.ClrVersions.Single().CreateRuntime();
        ClrObject text = runtime.Heap.EnumerateObjects().First(found => found.Type is { IsString: true } && found.Size > 128);
        return (WordOf(Scanned(runtime)), text.Address);
    }

    private static ClrThread Scanned(ClrRuntime runtime)
        => runtime.Threads.First(thread => thread.IsAlive && thread.EnumerateStackTrace().Any() && AreGuessed(thread));

    private static bool AreGuessed(ClrThread thread)
    {
        _ = StackRoots.Of(thread, out bool areGuessed);
        return areGuessed;
    }

    private static ulong WordOf(ClrThread thread) => thread.EnumerateStackTrace().Min(frame => frame.StackPointer) + 64;

    private static (IReadOnlyList<ulong> Roots, IReadOnlyList<Gap> Losses) Read(string core, ulong word)
    {
        using FileStream file = File.OpenRead(core);
        CoreLosses losses = new(CoreNotes.Read(file, CaptureLimits.Default));
        using DataTarget plain = ClrTarget.Open(core, CaptureLimits.Default);
        WatchedCore watched = losses.Watch(plain.DataReader);
        using DataTarget target = ClrTarget.Open(watched, CaptureLimits.Default);
        using ClrRuntime runtime = target.ClrVersions.Single().CreateRuntime();
        ClrThread thread = Scanned(runtime);
        Assert.Equal(word, WordOf(thread));
        Assert.Empty(losses.Gaps(isMini: false));
        return ([.. StackRoots.Of(thread).Select(root => root.Object.Address)], [.. losses.Gaps(isMini: false)]);
    }
}
