using System.Diagnostics;
using System.Globalization;
using HangTriage.Tests.Support.Waiting;
using Microsoft.Diagnostics.NETCore.Client;

namespace HangTriage.Tests.Support.Dumps;

/// <summary>Starts a program, waits for it with a bound, and has its runtime dump it.</summary>
public static class DumpTool
{
    private const int Attempts = 10;

    // Some programs spin from their start to their end.
    private static readonly TimeSpan s_mostUsed = TimeSpan.FromMinutes(10);
    private static readonly TimeSpan s_look = TimeSpan.FromSeconds(1);

    /// <summary>Starts the program, waits for its READY line, dumps it, ends it; returns what it printed.</summary>
    /// <param name="program">The program.</param>
    /// <param name="dumps">How much each dump holds, and its file; all of one process.</param>
    /// <param name="cancellation">The test's.</param>
    /// <param name="look">Looks at the process before it is dumped.</param>
    /// <param name="between">Brings the process on between one dump and the next.</param>
    public static Task<IReadOnlyList<string>> DumpAsync(
        string program, IReadOnlyCollection<(DumpType Type, string File)> dumps, CancellationToken cancellation, Action<Process>? look = null, Action<Process>? between = null)
        => DumpAsync(new ProcessStartInfo(program), dumps, cancellation, look, between);

    /// <summary>The same for a program with arguments and an environment.</summary>
    public static async Task<IReadOnlyList<string>> DumpAsync(
        ProcessStartInfo start, IReadOnlyCollection<(DumpType Type, string File)> dumps, CancellationToken cancellation, Action<Process>? look = null, Action<Process>? between = null)
    {
        // Its input stays open and empty, so that a program that reads it waits.
        start.RedirectStandardInput = true;
        start.RedirectStandardOutput = true;
        using CancellationTokenSource bound = CancellationTokenSource.CreateLinkedTokenSource(cancellation);
        using Process process = Process.Start(start)!;
        Task<string?> end = EndAsync(new Patience(s_mostUsed, process.Id), bound);
        try
        {
            List<string> lines = [];
            while (lines.Count == 0 || !lines[^1].StartsWith("READY", StringComparison.Ordinal))
            {
                lines.Add(await process.StandardOutput.ReadLineAsync(bound.Token)
                    ?? throw new InvalidOperationException($"{Path.GetFileName(start.FileName)} {string.Join(' ', start.ArgumentList)} ended before it was ready"));
            }

            await Speaker.SettleAsync(process.Id, bound.Token);
            look?.Invoke(process);
            foreach (((DumpType type, string file), int index) in dumps.Select((dump, index) => (dump, index)))
            {
                if (index > 0)
                {
                    between?.Invoke(process);
                }

                await WriteAsync(process, type, file, bound.Token);
            }

            return lines;
        }
        catch (OperationCanceledException) when (!cancellation.IsCancellationRequested)
        {
            throw new TimeoutException($"{Path.GetFileName(start.FileName)} was not dumped: {await end}");
        }
        finally
        {
            process.Kill(entireProcessTree: true);
            await bound.CancelAsync();
            await end;
        }
    }

    // By progress: on a busy machine a program of many threads takes longer than any time that one would think of.
    private static async Task<string?> EndAsync(Patience patience, CancellationTokenSource bound)
    {
        string? why;
        while ((why = patience.End) is null && !bound.IsCancellationRequested)
        {
            await Task.Delay(s_look, bound.Token).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        }

        await bound.CancelAsync();
        return why;
    }

    // createdump can crash in the library that reads the runtime's data, and leave no file: it does so where a thread stands
    // in a place that this library cannot read, while an exception is thrown for one. Between two attempts the threads run on.
    private static async Task WriteAsync(Process process, DumpType type, string file, CancellationToken cancellation)
    {
        // One of an earlier process would be taken for this one's.
        File.Delete(file);
        DiagnosticsClient client = new(process.Id);
        for (int i = 0; i < Attempts && !File.Exists(file); i++)
        {
            try
            {
                await client.WriteDumpAsync(type, file, logDumpGeneration: false, cancellation);
            }
            catch (ServerNotAvailableException) when (!process.HasExited)
            {
                // A process that ends no longer answers; its runtime's own program still dumps it.
                await CreateDumpAsync(process, type, file, cancellation);
            }
        }

        if (!File.Exists(file))
        {
            throw new InvalidOperationException($"createdump wrote no {type} core of {process.ProcessName} in {Attempts} attempts");
        }

        SparseFile.DigHoles(file);
    }

    private static async Task CreateDumpAsync(Process process, DumpType type, string file, CancellationToken cancellation)
    {
        string runtime = File.ReadLines($"/proc/{process.Id}/maps").First(line => line.EndsWith("/libcoreclr.so", StringComparison.Ordinal));
        string folder = Path.GetDirectoryName(runtime[runtime.IndexOf('/', StringComparison.Ordinal)..])!;
        string content = type switch
        {
            DumpType.Full => "--full",
            DumpType.WithHeap => "--withheap",
            DumpType.Triage => "--triage",
            _ => "--normal",
        };
        using Process dump = Process.Start(new ProcessStartInfo(Path.Combine(folder, "createdump"), [content, "-f", file, process.Id.ToString(CultureInfo.InvariantCulture)]) { RedirectStandardOutput = true })!;
        await dump.StandardOutput.ReadToEndAsync(cancellation);
        await dump.WaitForExitAsync(cancellation);
    }
}
