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
        Dictionary<uint, string[]> calls = [];
        ProcessSnapshot snapshot = await CaptureAsync("MonitorDeadlock", process => calls = CallsOf(process));

        ThreadFacts[] waiting = [.. snapshot.Threads.Value.Where(thread => thread.ManagedId is not null && calls.ContainsKey(thread.OsId.Value))];
        Assert.True(waiting.Length >= 3);
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
        ProcessSnapshot snapshot = await CaptureAsync("Healthy", process => calls = CallsOf(process));

        (bool Expected, bool Read)[] waits =
        [
            .. from thread in snapshot.Threads.Value
               let call = thread.SystemCall?.Value
               where call is not null && calls.ContainsKey(thread.OsId.Value)
               let arguments = calls[thread.OsId.Value]
               where Number(arguments[0]) == call.Number.Value
               let expected = HasTimeout(call, arguments)
               where expected is not null
               select (expected.Value, call.HasTimeout!.Value),
        ];
        Assert.All(waits, wait => Assert.Equal(wait.Expected, wait.Read));
        Assert.Contains(waits, wait => wait.Read);
        Assert.Contains(waits, wait => !wait.Read);
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

    // By the manual pages: futex(2) has its time-out in the fourth argument, poll(2) in the third, a negative one for none.
    private static bool? HasTimeout(SystemCallFacts call, string[] line) => call.Name.TryGet(out string? name) ? name switch
    {
        "futex" => line[4] != "0x0",
        "poll" => unchecked((int)Convert.ToUInt64(line[3], 16)) >= 0,
        _ => null,
    }
    : null;

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
