using System.Diagnostics;
using System.Globalization;
using HangTriage.Capture;
using HangTriage.Capture.Linux;
using HangTriage.Facts;
using HangTriage.Tests.Support;
using HangTriage.Tests.Support.Dumps;
using Microsoft.Diagnostics.NETCore.Client;

namespace HangTriage.Tests.Capture.Managed;

/// <summary>The system calls of a core's threads, against what the kernel said of the living process.</summary>
public sealed class SystemCallTests
{
    [Fact]
    public async Task A_thread_is_in_the_call_that_the_kernel_says()
    {
        Dictionary<uint, uint> calls = [];
        ProcessSnapshot snapshot = await CaptureAsync("MonitorDeadlock", process => calls = CallsOf(process));

        ThreadFacts[] waiting = [.. snapshot.Threads.Value.Where(thread => thread.ManagedId is not null && calls.ContainsKey(thread.OsId.Value))];
        Assert.True(waiting.Length >= 3);
        Assert.All(waiting, thread =>
        {
            Assert.True(thread.IsInSystemCall!.Value);
            Assert.Equal(calls[thread.OsId.Value], thread.SystemCall!.Value.Number.Value);
        });
        Assert.Contains(waiting, thread => thread.SystemCall!.Value.Name.Is(name => name == "futex"));
    }

    [Fact]
    public async Task A_thread_that_computes_is_in_none()
    {
        ProcessSnapshot snapshot = await CaptureAsync("BusyDictionary", _ => { });

        ThreadFacts reader = snapshot.Threads.Value.Single(thread => thread.Name.Is(name => name == "reader-1"));
        Assert.False(reader.IsInSystemCall!.Value);
        Assert.Null(reader.SystemCall);
    }

    private static async Task<ProcessSnapshot> CaptureAsync(string sample, Action<Process> look)
    {
        if (!OperatingSystem.IsLinux())
        {
            Skip.Because("cores are written on Linux");
        }

        using TemporaryFolder folder = new();
        string program = await DotNetPrograms.FindAsync(sample, TargetFramework.Net10, TestContext.Current.CancellationToken);
        await DumpTool.DumpAsync(program, [(DumpType.WithHeap, folder["core"])], TestContext.Current.CancellationToken, look);
        return LinuxCoreCapture.Read(folder["core"], CaptureContext.Default);
    }

    // A line of the kernel's is "running", or the call's number, its arguments, the stack pointer and the instruction.
    private static Dictionary<uint, uint> CallsOf(Process process)
    {
        Dictionary<uint, uint> calls = [];
        foreach (string task in Directory.GetDirectories($"/proc/{process.Id}/task"))
        {
            if (uint.TryParse(File.ReadAllText(Path.Combine(task, "syscall")).Split(' ')[0], CultureInfo.InvariantCulture, out uint number))
            {
                calls[uint.Parse(Path.GetFileName(task), CultureInfo.InvariantCulture)] = number;
            }
        }

        return calls;
    }
}
