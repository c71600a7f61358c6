using System.Buffers.Binary;
using HangTriage.Capture;
using HangTriage.Capture.Linux.Snapshots;
using HangTriage.Facts;
using HangTriage.Tests.Support.Dumps;
using Microsoft.Diagnostics.NETCore.Client;

namespace HangTriage.Tests.Capture.Managed;

/// <summary>
/// gcore and the kernel leave out the pages that a process mapped from files. The heap is there, but no type has a name,
/// so no frame is seen to be in Monitor and no Thread object to be one.
/// </summary>
public sealed class CoreWithoutFilesTests
{
    [Theory]
    [InlineData(TargetFramework.Net8)]
    [InlineData(TargetFramework.Net10)]
    public async Task Owners_are_known_and_waits_and_names_are_gaps(TargetFramework framework)
    {
        DumpedProcess process = await Cores.SampleAsync("MonitorDeadlock", framework, DumpType.Full);
        string path = await WithoutFilesAsync(process);
        try
        {
            ProcessSnapshot snapshot = LinuxCoreCapture.Read(path, Cores.ContextOf(process));
            ManagedFacts managed = snapshot.Managed!.Value;

            Assert.Contains("metadata", managed.Waits.Gap?.Why, StringComparison.Ordinal);
            Assert.Equal(
                ThreadTruth.Of(process).Where(thread => thread.Holds is not null).Select(thread => thread.OsId).Order(),
                managed.Locks.Value.Where(found => found.IsHeld.Value).Select(found => found.Owner.Value).Order());
            Assert.All(managed.Locks.Value, found => Assert.False(found.Name.HasValue));
            Assert.All(snapshot.Threads.Value, thread => Assert.False(thread.Name.HasValue));
            Assert.All(snapshot.Threads.Value, thread => Assert.NotNull(thread.Stack.Stopped));
        }
        finally
        {
            File.Delete(path);
        }
    }

    /// <summary>A copy whose segments within managed images have no contents.</summary>
    private static async Task<string> WithoutFilesAsync(DumpedProcess process)
    {
        ModuleFacts[] images = [.. Cores.Read(process).Modules.Value.Where(module => module.Name.EndsWith(".dll", StringComparison.Ordinal))];
        byte[] core = await File.ReadAllBytesAsync(process.CorePath, TestContext.Current.CancellationToken);
        int count = BinaryPrimitives.ReadUInt16LittleEndian(core.AsSpan(56));
        int emptied = 0;
        for (int at = 64; at < 64 + (56 * count); at += 56)
        {
            ulong address = BinaryPrimitives.ReadUInt64LittleEndian(core.AsSpan(at + 16));
            if (images.Any(image => address >= image.Base.Value && address - image.Base.Value < image.Size))
            {
                BinaryPrimitives.WriteUInt64LittleEndian(core.AsSpan(at + 32), 0);
                emptied++;
            }
        }

        Assert.True(emptied >= images.Length, $"{emptied} segments of {images.Length} images");
        string path = Path.GetTempFileName();
        await File.WriteAllBytesAsync(path, core, TestContext.Current.CancellationToken);
        return path;
    }
}
