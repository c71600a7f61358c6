using System.Runtime.Versioning;
using HangTriage.Capture;
using HangTriage.Capture.Linux;
using HangTriage.Capture.Linux.Snapshots;
using HangTriage.Facts;
using HangTriage.Tests.Support.Dumps;
using Microsoft.Diagnostics.NETCore.Client;

namespace HangTriage.Tests.Capture.Managed;

/// <summary>Code is loaded for a core only from a runtime that is proved to be the one in the core.</summary>
public sealed class DacVerificationTests
{
    [Fact]
    public async Task A_core_whose_runtime_has_another_build_id_is_not_read_with_the_library_in_its_folder()
    {
        DumpedProcess process = await Cores.SampleAsync("MonitorDeadlock", TargetFramework.Net9, DumpType.Normal);
        byte[] core = await File.ReadAllBytesAsync(process.CorePath, TestContext.Current.CancellationToken);
        byte[] id = ElfBuildId.Of(Path.Combine(Path.GetDirectoryName(process.Program)!, "libcoreclr.so"))!;
        int at = core.AsSpan().IndexOf(id);
        Assert.True(at > 0);
        for (; at >= 0; at = core.AsSpan().IndexOf(id))
        {
            core[at] ^= 0xFF;
        }

        foreach (string? dac in new[] { null, process.RuntimeFolder })
        {
            ProcessSnapshot snapshot = Read(core, dac);
            Assert.Contains("build id", snapshot.Managed!.Gap?.Why, StringComparison.Ordinal);
            Assert.All(snapshot.Threads.Value, thread => Assert.Null(thread.ManagedId));
        }
    }

    [Fact]
    public async Task A_named_folder_or_library_is_used_where_the_core_names_a_folder_that_is_gone()
    {
        DumpedProcess process = await Cores.SampleAsync("MonitorDeadlock", TargetFramework.Net9, DumpType.Normal);
        string folder = process.RuntimeFolder!;
        byte[] core = await File.ReadAllBytesAsync(process.CorePath, TestContext.Current.CancellationToken);
        byte[] path = System.Text.Encoding.UTF8.GetBytes(folder + "/libcoreclr.so");
        int at = core.AsSpan().IndexOf(path);
        Assert.True(at > 0);
        for (; at >= 0; at = core.AsSpan().IndexOf(path))
        {
            core[at + 1] = (byte)'-';
        }

        Assert.False(Read(core, dac: null).Managed!.HasValue);
        Assert.True(Read(core, folder).Managed!.HasValue);
        Assert.True(Read(core, Path.Combine(folder, "libmscordaccore.so")).Managed!.HasValue);
    }

    [Fact]
    [UnsupportedOSPlatform("windows")]
    public async Task A_folder_that_everybody_can_write_to_is_not_trusted()
    {
        DumpedProcess process = await Cores.SampleAsync("MonitorDeadlock", TargetFramework.Net9, DumpType.Normal);
        byte[] core = await File.ReadAllBytesAsync(process.CorePath, TestContext.Current.CancellationToken);
        DirectoryInfo open = Directory.CreateTempSubdirectory();
        try
        {
            foreach (string name in new[] { "libcoreclr.so", "libmscordaccore.so" })
            {
                File.Copy(Path.Combine(process.RuntimeFolder!, name), Path.Combine(open.FullName, name));
            }

            Assert.True(Read(core, open.FullName).Managed!.HasValue);
            open.UnixFileMode |= UnixFileMode.OtherWrite;
            Assert.Contains("everybody", Read(core, open.FullName).Managed!.Gap?.Why, StringComparison.Ordinal);
        }
        finally
        {
            open.Delete(recursive: true);
        }
    }

    private static ProcessSnapshot Read(byte[] core, string? dac)
    {
        string path = Path.GetTempFileName();
        try
        {
            File.WriteAllBytes(path, core);
            return LinuxCoreCapture.Read(path, CaptureContext.Default with { Dac = dac });
        }
        finally
        {
            File.Delete(path);
        }
    }
}
