using System.ComponentModel;
using System.Diagnostics;
using System.IO.Pipes;
using System.Runtime.InteropServices;

namespace HangTriage.Cli;

/// <summary>A process that does the work of one command, on the same console, and is ended when it makes no progress any more.</summary>
internal static partial class WorkerProcess
{
    private const int SigTerm = 15;
    private const int SignsAtOnce = 64;

    private static readonly TimeSpan s_timeToRecover = TimeSpan.FromMilliseconds(200);
    private static readonly TimeSpan s_timeToCancel = TimeSpan.FromMilliseconds(500);
    private static readonly TimeSpan s_timeToEnd = TimeSpan.FromSeconds(5);

    /// <returns>Its exit code; null where it was ended.</returns>
    /// <param name="args">The command line.</param>
    /// <param name="whyWithoutRuntime">Why it does without the runtime's library; null where it may use that.</param>
    /// <param name="silence">How long it may make no progress.</param>
    /// <param name="cancellation">Ends it early.</param>
    /// <exception cref="Win32Exception">The system did not start it, twice.</exception>
    public static int? Run(string[] args, string? whyWithoutRuntime, TimeSpan silence, CancellationToken cancellation)
    {
        (ProcessStartInfo start, AnonymousPipeServerStream pulse) = Prepare(args, whyWithoutRuntime);
        using (pulse)
        {
            using Process worker = Start(start);
            pulse.DisposeLocalCopyOfClientHandle();
            return Await(worker, pulse, silence, cancellation);
        }
    }

    // A machine that is short of something for a moment starts it a moment later.
    private static Process Start(ProcessStartInfo start)
    {
        try
        {
            return Process.Start(start)!;
        }
        catch (Win32Exception)
        {
            Thread.Sleep(s_timeToRecover);
            return Process.Start(start)!;
        }
    }

    /// <summary>What starts this tool once more, as its user would.</summary>
    public static ProcessStartInfo Self(IReadOnlyList<string> args)
    {
        ProcessStartInfo start = Bare(args);
        start.Environment.Remove(Worker.Mark);
        start.Environment.Remove(Worker.WithoutRuntime);
        start.Environment.Remove(Worker.PulsePipe);
        return start;
    }

    /// <summary>What starts a worker, and the pipe by which it says that it makes progress.</summary>
    public static (ProcessStartInfo Start, AnonymousPipeServerStream Pulse) Prepare(string[] args, string? whyWithoutRuntime)
    {
        AnonymousPipeServerStream pulse = new(PipeDirection.In, HandleInheritability.Inheritable);
        ProcessStartInfo start = Bare(args);
        start.Environment[Worker.Mark] = "1";
        start.Environment[Worker.WithoutRuntime] = whyWithoutRuntime;
        start.Environment[Worker.PulsePipe] = pulse.GetClientHandleAsString();
        return (start, pulse);
    }

    private static ProcessStartInfo Bare(IReadOnlyList<string> args)
    {
        string program = Environment.ProcessPath!;
        bool isHosted = Path.GetFileNameWithoutExtension(program) == "dotnet";
        return new ProcessStartInfo(program, isHosted ? [typeof(WorkerProcess).Assembly.Location, .. args] : args);
    }

    /// <summary>Waits for a worker's end, and brings it about where it makes no progress.</summary>
    /// <returns>Its exit code; null where it was ended.</returns>
    public static int? Await(Process worker, Stream pulse, TimeSpan silence, CancellationToken cancellation)
    {
        try
        {
            if (!EndsAsync(worker, pulse, new Silence(silence), cancellation).GetAwaiter().GetResult())
            {
                worker.Kill();
                worker.WaitForExit();
                return null;
            }
        }
        catch (OperationCanceledException)
        {
            // A terminal has told the worker too; whoever signalled this process alone has not.
            End(worker);
        }

        return worker.ExitCode;
    }

    /// <summary>Waits for the worker; false where it falls silent first.</summary>
    private static async Task<bool> EndsAsync(Process worker, Stream pulse, Silence silence, CancellationToken cancellation)
    {
        byte[] signs = new byte[SignsAtOnce];
        Task ended = worker.WaitForExitAsync(cancellation);
        Task<int> heard = pulse.ReadAsync(signs, CancellationToken.None).AsTask();
        while (!silence.IsTooLong)
        {
            Task first = await Task.WhenAny(ended, heard, Task.Delay(Silence.Tick, CancellationToken.None));
            if (first == ended)
            {
                await ended;
                return true;
            }

            if (first != heard)
            {
                silence.Grow();
                continue;
            }

            int count = await heard;
            foreach (byte sign in signs.AsSpan(0, count))
            {
                silence.Hear((Sign)sign);
            }

            // A worker that has closed its end says nothing any more.
            heard = count > 0 ? pulse.ReadAsync(signs, CancellationToken.None).AsTask() : new TaskCompletionSource<int>().Task;
        }

        return false;
    }

    private static void End(Process worker)
    {
        if (worker.WaitForExit(s_timeToCancel))
        {
            return;
        }

        if (!OperatingSystem.IsWindows())
        {
            _ = Signal(worker.Id, SigTerm);
        }

        if (OperatingSystem.IsWindows() || !worker.WaitForExit(s_timeToEnd))
        {
            worker.Kill();
            worker.WaitForExit();
        }
    }

    [LibraryImport("libc", EntryPoint = "kill")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static partial int Signal(int process, int signal);
}
