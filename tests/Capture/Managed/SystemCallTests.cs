using System.Diagnostics;
using System.Globalization;
using HangTriage.Capture;
using HangTriage.Capture.Linux;
using HangTriage.Capture.Linux.Snapshots;
using HangTriage.Facts;
using HangTriage.Tests.Support;
using HangTriage.Tests.Support.Dumps;
using Microsoft.Diagnostics.NETCore.Client;

namespace HangTriage.Tests.Capture.Managed;

/// <summary>The system calls of a core's threads, against what the kernel said of the living process.</summary>
public sealed class SystemCallTests
{
    private static readonly string[] s_threads = ["order-intake", "stock-keeper", "book-keeper", "report-writer", "report-mailer"];

    // Of the program's threads alone: the runtime's own wake by themselves, and may compute when the core is written.
    [Fact]
    public async Task A_thread_is_in_the_call_that_the_kernel_says()
    {
        Dictionary<uint, string[]> calls = [];
        ProcessSnapshot snapshot = await CaptureAsync("MonitorDeadlock", process => calls = CallsOf(process));

        ThreadFacts[] waiting = [.. snapshot.Threads.Value.Where(thread => thread.Name.Is(s_threads.Contains))];
        Assert.Equal(s_threads.Length, waiting.Length);
        Assert.All(waiting, thread =>
        {
            Assert.True(thread.IsInSystemCall!.Value);
            Assert.Equal(Number(calls[thread.OsId.Value][0]), thread.SystemCall!.Value.Number.Value);
        });
        Assert.Contains(waiting, thread => thread.SystemCall!.Value.Name.Is(name => name == "futex"));
    }

    [Fact]
    public async Task A_wait_has_a_timeout_where_the_kernel_was_given_one()
    {
        Dictionary<uint, string[]> calls = [];
        ProcessSnapshot snapshot = await CaptureAsync("PrimitiveWaits", process => calls = CallsOf(process));

        foreach ((string name, bool hasTimeout) in new[] { ("sleeper", false), ("joiner", false), ("mutex-waiter", false), ("timed-joiner", true), ("upgrader-behind-writer", true) })
        {
            ThreadFacts thread = snapshot.Threads.Value.Single(thread => thread.Name.Is(text => text == name));
            // futex(2) has its timeout in the fourth argument.
            Assert.Equal((name, hasTimeout), (name, calls[thread.OsId.Value][4] != "0x0"));
            Assert.Equal((name, (bool?)hasTimeout), (name, thread.SystemCall!.Value.HasTimeout));
        }
    }

    // The kernel breaks the call off for the dump: rax has an error of its own, or what was written so far.
    [Theory]
    [InlineData(1, -512, 100, true)]
    [InlineData(1, 40, 100, true)]
    [InlineData(1, 100, 100, false)]
    [InlineData(0, 40, 100, false)]
    [InlineData(-1, -512, 100, false)]
    public void A_call_that_was_broken_off_is_told_from_one_that_had_ended(long number, long result, long wanted, bool isInside)
    {
        const int registersAt = 112;
        byte[] status = new byte[registersAt + (27 * sizeof(long))];
        status[32] = 7;
        BitConverter.TryWriteBytes(status.AsSpan(registersAt + (10 * sizeof(long))), result);
        BitConverter.TryWriteBytes(status.AsSpan(registersAt + (12 * sizeof(long))), wanted);
        BitConverter.TryWriteBytes(status.AsSpan(registersAt + (15 * sizeof(long))), number);
        BitConverter.TryWriteBytes(status.AsSpan(registersAt + (16 * sizeof(long))), 0x7f00_0000_1000); // rip: registers of zeros are lost ones
        BitConverter.TryWriteBytes(status.AsSpan(registersAt + (19 * sizeof(long))), 0x7f00_0000_2000);
        Dictionary<uint, SystemCallState> calls = [];

        SystemCallState.ReadX64(status, calls);

        Assert.Equal(isInside, calls[7].IsInside);
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
        string program = DotNetPrograms.Find(sample, TargetFramework.Net10);
        await DumpTool.DumpAsync(program, [(DumpType.WithHeap, folder["core"])], TestContext.Current.CancellationToken, look);
        return LinuxCoreCapture.Read(folder["core"], CaptureContext.Default);
    }

    private static uint Number(string text) => uint.Parse(text, CultureInfo.InvariantCulture);

    // A line of the kernel's is "running", or the call's number, its arguments, the stack pointer and the instruction.
    private static Dictionary<uint, string[]> CallsOf(Process process)
    {
        Dictionary<uint, string[]> calls = [];
        foreach (string task in Directory.GetDirectories($"/proc/{process.Id}/task"))
        {
            string[] line = File.ReadAllText(Path.Combine(task, "syscall")).Split(' ');
            if (uint.TryParse(line[0], CultureInfo.InvariantCulture, out _))
            {
                calls[uint.Parse(Path.GetFileName(task), CultureInfo.InvariantCulture)] = line;
            }
        }

        return calls;
    }
}
