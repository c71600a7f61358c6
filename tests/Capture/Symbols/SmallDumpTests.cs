using HangTriage.Capture;
using HangTriage.Capture.Targets;
using HangTriage.Facts;
using HangTriage.Tests.Support;
using HangTriage.Tests.Support.Synthetic;
using HangTriage.Tests.Support.Synthetic.Scenarios;

namespace HangTriage.Tests.Capture.Symbols;

/// <summary>Dumps without a byte of their images, with files that have them, and with files that are not theirs.</summary>
public sealed class SmallDumpTests
{
    [Fact]
    public void With_its_image_files_a_small_dump_is_walked_as_a_full_one()
    {
        using TemporaryFolder folder = new();
        SyntheticProcess process = EveryUnwindKind.Create().Process;
        SmallDump.WriteImages(process, folder.Folder);
        File.WriteAllBytes(folder["small.dmp"], SmallDump.Dump(process));
        ProcessSnapshot snapshot = Capture(folder["small.dmp"], folder.Folder);
        Assert.Equal(process.Threads.Count, snapshot.Threads.Value.Count);
        foreach ((SyntheticThread expected, ThreadFacts thread) in process.Threads.Zip(snapshot.Threads.Value))
        {
            Assert.Equal(expected.ExpectedFrames.Select(f => (f.Ip, f.Sp)), thread.Stack.Frames.Select(f => (f.Ip.Value, f.Sp.Value)));
            Assert.Null(thread.Stack.Stopped);
            Assert.All(thread.Stack.Frames.Skip(1), f => Assert.Equal(Trust.Derived, f.Trust));
        }

        Assert.DoesNotContain(snapshot.Gaps, gap => gap.What.StartsWith("image file", StringComparison.Ordinal));
    }

    [Fact]
    public void Without_image_files_the_module_that_stopped_the_walk_is_named()
    {
        using TemporaryFolder folder = new();
        string dump = SmallDump.Create().WriteAll(folder.Folder);
        Assert.Equal(["ntdll.dll+0x1014"], Names(TargetFile.Capture(dump, CaptureContext.Default)));
        Assert.Contains("ntdll.dll", StopOf(TargetFile.Capture(dump, CaptureContext.Default)), StringComparison.Ordinal);

        File.Delete(folder["app.exe"]);
        ProcessSnapshot snapshot = Capture(dump, folder.Folder);
        Assert.Contains("app.exe+0x", StopOf(snapshot), StringComparison.Ordinal);
        Assert.Equal("the symbol path has none for app.exe (0A0B0C0D8000)", Assert.Single(snapshot.Gaps, gap => gap.What == "image files").Why);
    }

    [Theory]
    [InlineData(0x88, "time stamp")]
    [InlineData(0xD1, "size")]
    [InlineData(0x84, "machine")]
    public void An_image_of_another_build_is_not_used(int field, string what)
    {
        using TemporaryFolder folder = new();
        string dump = SmallDump.Create().WriteAll(folder.Folder);
        byte[] image = File.ReadAllBytes(folder["app.exe"]);
        image[field] ^= 0x10;
        File.WriteAllBytes(folder["app.exe"], image);
        ProcessSnapshot snapshot = Capture(dump, folder.Folder);
        Assert.Equal(["ntdll.dll!NtWaitForSingleObject", "app.exe+0x"], Names(snapshot).Select(WithoutOffset));
        Assert.Contains(what, Assert.Single(snapshot.Gaps, gap => gap.What == "image file of app.exe").Why, StringComparison.Ordinal);
    }

    [Fact]
    public void Among_candidates_the_one_that_fits_is_taken()
    {
        using TemporaryFolder folder = new();
        SmallDump small = SmallDump.Create();
        string dump = small.WriteAll(folder.Folder);
        SyntheticModule module = small.App.ToModule();
        string store = Directory.CreateDirectory(folder[$"store/app.exe/{module.TimeDateStamp:X8}{module.Size:x}"]).FullName;
        File.Move(folder["app.exe"], Path.Combine(store, "app.exe"));
        File.Copy(folder["ntdll.dll"], folder["app.exe"]);
        Assert.Equal(4, Names(Capture(dump, $"{folder.Folder};{folder["store"]}")).Count);
    }

    [Fact]
    public void Names_come_from_the_PDB_before_the_exports_and_end_with_their_function()
    {
        using TemporaryFolder folder = new();
        SmallDump small = SmallDump.Create();
        string dump = small.WriteAll(folder.Folder);
        Assert.Equal(
            ["ntdll.dll!NtWaitForSingleObject", "app.exe!hidden", "app.exe!exported", "ntdll.dll!RtlUserThreadStart"], Names(Capture(dump, folder.Folder)));

        File.WriteAllBytes(folder["app.pdb"], new SyntheticPdb(small.App) { Signature = SmallDump.PdbSignature }.PublicAt(small.App["exported"].Rva, "public").Build());
        Assert.Equal(
            ["ntdll.dll!NtWaitForSingleObject", "app.exe+0x", "app.exe!public", "ntdll.dll!RtlUserThreadStart"],
            Names(Capture(dump, folder.Folder)).Select(WithoutOffset));
    }

    [Fact]
    public void The_PDB_that_the_image_names_is_found_where_the_dump_does_not_name_it()
    {
        using TemporaryFolder folder = new();
        SmallDump small = SmallDump.Create();
        small.WriteAll(folder.Folder);
        File.WriteAllBytes(folder["small.dmp"], WithoutCodeView(small.Dump()));
        ProcessSnapshot snapshot = Capture(folder["small.dmp"], folder.Folder);
        Assert.All(snapshot.Modules.Value, module => Assert.Null(module.Pdb));
        Assert.Contains("app.exe!hidden", Names(snapshot));
    }

    [Theory]
    [InlineData(2u, 2u, false)]
    [InlineData(1u, 3u, true)]
    [InlineData(3u, 1u, true)]
    public void A_PDB_counts_by_its_signature_and_age(uint age, uint infoAge, bool isUsed)
    {
        using TemporaryFolder folder = new();
        SmallDump small = SmallDump.Create();
        string dump = small.WriteAll(folder.Folder);
        SyntheticPdb pdb = new SyntheticPdb(small.App) { Signature = SmallDump.PdbSignature, Age = age, InfoAge = infoAge };
        File.WriteAllBytes(folder["app.pdb"], pdb.PublicOf("hidden").Build());
        ProcessSnapshot snapshot = Capture(dump, folder.Folder);
        Assert.Equal(isUsed, Names(snapshot).Contains("app.exe!hidden"));
        Assert.Equal(isUsed, !snapshot.Gaps.Any(gap => gap.What == "PDB of app.exe" && gap.Why.Contains("another build", StringComparison.Ordinal)));
        Assert.Equal("the symbol path has none for ntdll.dll", Assert.Single(snapshot.Gaps, gap => gap.What == "PDBs").Why);
    }

    [Fact]
    public void What_code_may_write_to_never_comes_from_a_file()
    {
        using TemporaryFolder folder = new();
        SmallDump small = SmallDump.Create();
        ulong section = small.Ntdll.ReserveData(0x28);
        small.Process.Peb.LoaderLock(section);
        SyntheticMemory data = small.Ntdll.Data;
        data.U32(data.OffsetOf(section) + 8, unchecked((uint)-6)).U32(data.OffsetOf(section) + 12, 1).U64(data.OffsetOf(section) + 16, 0x6710);
        small.WriteAll(folder.Folder);
        File.WriteAllBytes(folder["small.dmp"], small.Process.ToMinidump(SyntheticContents.Stacks | SyntheticContents.Blocks).Build());
        ProcessSnapshot snapshot = Capture(folder["small.dmp"], folder.Folder);
        Assert.Equal(4, Names(snapshot).Count);
        Assert.False(snapshot.Windows!.LoaderLock.Value.IsHeld.HasValue);
    }

    [Fact]
    public void A_capture_can_be_stopped_while_files_are_looked_for()
    {
        using TemporaryFolder folder = new();
        string dump = SmallDump.Create().WriteAll(folder.Folder);
        using CancellationTokenSource stop = new();
        stop.Cancel();
        Assert.Throws<OperationCanceledException>(() => TargetFile.Capture(
            dump, new CaptureContext(CaptureLimits.Default, null, stop.Token) { Symbols = SymbolPath.OfFolder(folder.Folder) }));
    }

    internal static ProcessSnapshot Capture(string dump, string symbols, CaptureLimits? limits = null)
        => TargetFile.Capture(dump, new CaptureContext(limits ?? CaptureLimits.Default, null, TestContext.Current.CancellationToken) { Symbols = SymbolPath.Parse(symbols, null) });

    /// <summary>The first thread's frames by name, or by module and offset.</summary>
    internal static IReadOnlyList<string> Names(ProcessSnapshot snapshot)
        => [.. snapshot.Threads.Value[0].Stack.Frames.Select(f => f.Method is null ? $"{f.Module}+0x{f.ModuleOffset:x}" : $"{f.Module}!{f.Method}")];

    private static string WithoutOffset(string name) => name.Contains("+0x", StringComparison.Ordinal) ? name[..(name.IndexOf("+0x", StringComparison.Ordinal) + 3)] : name;

    private static string StopOf(ProcessSnapshot snapshot) => snapshot.Threads.Value[0].Stack.Stopped!.Why;

    private static byte[] WithoutCodeView(byte[] dump)
    {
        int directory = BitConverter.ToInt32(dump, 12);
        int entry = Enumerable.Range(0, BitConverter.ToInt32(dump, 8)).Select(i => directory + (12 * i)).Single(at => BitConverter.ToInt32(dump, at) == 4);
        int list = BitConverter.ToInt32(dump, entry + 8);
        for (int i = 0; i < BitConverter.ToInt32(dump, list); i++)
        {
            dump.AsSpan(list + 4 + (108 * i) + 76, 8).Clear();
        }

        return dump;
    }
}
