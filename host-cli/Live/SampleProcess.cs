using System.Diagnostics;
using System.Globalization;
using System.IO.Pipes;
using HangTriage.Facts;

namespace HangTriage.Cli.Live;

/// <summary>
/// A process that takes one sample of a live process. Code of the target's runtime reads it there: if that crashes or never
/// returns, the sample is taken once more without it. A second sample in one process would lose frames, too.
/// </summary>
internal sealed class SampleProcess : IDisposable
{
    public const string Command = "sample";

    private const string Go = "go";
    private const byte CopiedMark = (byte)'\n';

    private static readonly string[] s_deep = ["--deep"];

    private readonly Host _host;
    private readonly string[] _arguments;
    private readonly Process _process;
    private readonly AnonymousPipeServerStream _pulse;
    private readonly TaskCompletionSource _copied = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly Task<byte[]> _facts;
    private readonly Task<string> _error;

    private SampleProcess(Host host, string[] arguments, string? whyWithoutRuntime)
    {
        _host = host;
        _arguments = arguments;
        (ProcessStartInfo start, _pulse) = WorkerProcess.Prepare(arguments, whyWithoutRuntime);
        start.RedirectStandardInput = true;
        start.RedirectStandardOutput = true;
        start.RedirectStandardError = true;
        _process = Process.Start(start)!;
        _pulse.DisposeLocalCopyOfClientHandle();
        _facts = ReadAsync(_process.StandardOutput.BaseStream);
        _error = _process.StandardError.ReadToEndAsync();
    }

    /// <summary>Starts it; it waits until it is told to take the sample.</summary>
    public static SampleProcess Start(Host host, LiveChoices live, CaptureChoices choices, bool isDeep)
        => new(
            host,
            [
                Command,
                live.Process.ToString(CultureInfo.InvariantCulture),
                "--pause", $"{live.Pause.TotalMilliseconds.ToString(CultureInfo.InvariantCulture)}ms",
                .. choices.Dac is { } dac ? new[] { "--dac", dac } : [],
                .. choices.SymbolArguments.SelectMany(path => new[] { "--symbols", path }),
                .. isDeep ? s_deep : [],
            ],
            whyWithoutRuntime: null);

    /// <summary>In the process itself: waits until it is told to take the sample. False where whoever would say so is gone.</summary>
    public static bool AwaitGo(TextReader input) => input.ReadLine() == Go;

    /// <summary>In the process itself: says that the target runs again.</summary>
    public static void SayCopied(Stream output)
    {
        output.WriteByte(CopiedMark);
        output.Flush();
    }

    /// <summary>Has it take the sample.</summary>
    /// <returns>Ends when the target runs again, or the process has ended.</returns>
    public Task Take()
    {
        try
        {
            _process.StandardInput.WriteLine(Go);
            _process.StandardInput.Close();
        }
        catch (IOException)
        {
            // It has ended already; its answer says why.
        }

        return _copied.Task;
    }

    /// <exception cref="InputException">The process cannot be looked at.</exception>
    /// <exception cref="OperationCanceledException">The host was cancelled.</exception>
    public ProcessSnapshot Result()
    {
        int? code = WorkerProcess.Await(_process, _pulse, _host.LongestSilence, _host.Cancellation);
        _host.Cancellation.ThrowIfCancellationRequested();
        if (Supervisor.FailureOf(code, _host.LongestSilence) is not { } failure)
        {
            return Read(code!.Value);
        }

        string why = $"the reading of the .NET runtime's data {failure}";
        _host.Error.WriteLine($"triage: {why}; once more without it");
        using SampleProcess again = new(_host, _arguments, why);
        _ = again.Take();
        return again.Read(WorkerProcess.Await(again._process, again._pulse, _host.LongestSilence, _host.Cancellation) ?? ExitCode.Failed);
    }

    public void Dispose()
    {
        if (!_process.HasExited)
        {
            _process.Kill();
            _process.WaitForExit();
        }

        _process.Dispose();
        _pulse.Dispose();
    }

    private ProcessSnapshot Read(int code)
    {
        string name = _arguments[1];
        if (code != ExitCode.Done)
        {
            string said = _error.GetAwaiter().GetResult().Trim();
            throw new InputException(name, new InvalidOperationException(said.Length > 0 ? said : $"the process that takes the sample ended with {code}"));
        }

        try
        {
            using MemoryStream facts = new(_facts.GetAwaiter().GetResult());
            return FactsFile.Read(facts).Last;
        }
        catch (InvalidDataException e)
        {
            throw new InputException(name, e);
        }
    }

    private async Task<byte[]> ReadAsync(Stream output)
    {
        using MemoryStream all = new();
        byte[] mark = new byte[1];
        if (await output.ReadAsync(mark) > 0 && mark[0] != CopiedMark)
        {
            all.Write(mark);
        }

        _copied.SetResult();
        await output.CopyToAsync(all);
        return all.ToArray();
    }
}
