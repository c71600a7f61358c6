using HangTriage.Capture;
using HangTriage.Capture.Managed.Code;
using HangTriage.Tests.Support;
using HangTriage.Tests.Support.Dumps;
using Microsoft.Diagnostics.NETCore.Client;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Tests.Capture.Managed;

/// <summary>Instructions that a core does not have are read from the files of the program, where they are of the same build.</summary>
public sealed class ImageFileTests
{
    private const string CoreLibrary = "System.Private.CoreLib.dll";

    [Fact]
    public async Task A_core_with_the_heap_alone_has_the_instructions_of_all_methods_by_the_file()
    {
        DumpedProcess process = await Cores.SampleAsync("MonitorDeadlock", TargetFramework.Net10, DumpType.WithHeap);
        using DataTarget target = DataTarget.LoadDump(process.CorePath);
        using ClrRuntime runtime = target.ClrVersions.Single().CreateRuntime();
        ClrModule module = runtime.EnumerateModules().Single(found => found.Name?.EndsWith(CoreLibrary, StringComparison.Ordinal) == true);

        using IlModule? opened = IlModules.Any(runtime, module);

        Assert.NotNull(opened);
        Assert.False(opened.HasGaps(CaptureContext.Default));
        Assert.NotEmpty(opened.Body(Assert.Single(opened.MethodsOf("System.Threading.SpinWait", "SpinOnce", 0))));
    }

    [Fact]
    public void A_file_of_another_build_is_not_read()
    {
        string own = typeof(ImageFileTests).Assembly.Location;

        Assert.Null(ImageFile.Open(own, [1, 2, 3]));
        Assert.Null(ImageFile.Open(Path.ChangeExtension(own, ".pdb"), []));
        Assert.Null(ImageFile.Open("/dev/zero", []));
    }

    [Fact]
    public void A_damaged_file_is_no_error()
    {
        using TemporaryFolder folder = new();
        byte[] bytes = File.ReadAllBytes(typeof(ImageFileTests).Assembly.Location);
        bytes.AsSpan(0x80, 0x200).Fill(0xff);
        File.WriteAllBytes(folder["damaged.dll"], bytes);

        Assert.Null(ImageFile.Open(folder["damaged.dll"], []));
    }
}
