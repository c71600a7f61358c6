using System.Diagnostics;
using System.Globalization;
using System.IO.Pipes;
using HangTriage.Tests.Support.Cli;
using HangTriage.Tests.Support.Verdicts;
using HangTriage.Tests.Support.Waiting;

namespace HangTriage.Verdicts;

/// <summary>
/// A build of the tool that stays in a process for many runs, since starting it takes longer than most of them. A run that
/// ends that process, or does not end, is done again by the tool itself: what that says counts.
/// </summary>
internal sealed class WarmTool : IToolRunner, IDisposable
{
    // A process that has judged so many holds what their runtimes' libraries have leaked.
    private const int RunsOfOneProcess = 200;

    private readonly AnyTool _cold;
    private readonly string _assembly;
    private readonly string _output = Path.GetTempFileName();
    private readonly string _error = Path.GetTempFileName();
    private Process? _process;
    private AnonymousPipeServerStream? _pipe;
    private StreamReader? _answers;
    private int _runs;

    /// <param name="program">The program, or its triage.dll; both lie in one folder.</param>
    public WarmTool(string program)
    {
        _cold = new AnyTool(program);
        _assembly = Path.ChangeExtension(Path.GetFullPath(program), ".dll");
    }

    public ToolRun Run(string[] arguments, TimeSpan limit)
    {
        if (_runs++ % RunsOfOneProcess == 0)
        {
            Stop();
        }

        Start();
        _process!.StandardInput.WriteLine(string.Join('\t', [_output, _error, .. arguments]));
        Task<string?> answer = _answers!.ReadLineAsync();
        if (RunLimit.Wait(_process, answer.Wait, limit) && int.TryParse(answer.Result, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out int code))
        {
            return new ToolRun(code, File.ReadAllText(_output), File.ReadAllText(_error));
        }

        Stop();
        return _cold.Run(arguments, limit);
    }

    public void Dispose()
    {
        Stop();
        File.Delete(_output);
        File.Delete(_error);
    }

    private void Start()
    {
        if (_process is not null)
        {
            return;
        }

        _pipe = new AnonymousPipeServerStream(PipeDirection.In, HandleInheritability.Inheritable);
        _answers = new StreamReader(_pipe);
        _process = Process.Start(new ProcessStartInfo("dotnet", [typeof(WarmTool).Assembly.Location, ToolHost.Command, _assembly, _pipe.GetClientHandleAsString()])
        {
            RedirectStandardInput = true,
            Environment = { ["TRIAGE_WORKER"] = "1", ["TRIAGE_DEBUG"] = null, ["_NT_SYMBOL_PATH"] = null },
        })!;
        _pipe.DisposeLocalCopyOfClientHandle();
    }

    private void Stop()
    {
        if (_process is not null)
        {
            _process.Kill(entireProcessTree: true);
            _process.WaitForExit();
            _process.Dispose();
            _answers!.Dispose();
            _process = null;
        }
    }
}
