using Spectre.Console;

namespace HangTriage.Cli;

/// <summary>Runs work that can be cancelled, and shows how far it is once it has taken a second.</summary>
internal sealed class Progress : IProgress<string>
{
    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan s_redraw = TimeSpan.FromMilliseconds(100);

    /// <summary>How long cancelled work gets to let go of its target before the process ends.</summary>
    private static readonly TimeSpan s_grace = TimeSpan.FromSeconds(2);

    private volatile string _latest = "working";

    public void Report(string value) => _latest = value;

    /// <exception cref="OperationCanceledException">The host's token was cancelled; the work may still be ending.</exception>
    public static T While<T>(Host host, bool isQuiet, Func<IProgress<string>, T> work)
    {
        Progress progress = new();
        Task<T> task = Task.Run(() => work(progress), CancellationToken.None);
        try
        {
            if (!Ended(task, s_patience, host.Cancellation) && host.Terminal.HasProgress && !isQuiet)
            {
                progress.Show(task, host.Cancellation);
            }

            Ended(task, Timeout.InfiniteTimeSpan, host.Cancellation);
        }
        catch (OperationCanceledException) when (host.Cancellation.IsCancellationRequested)
        {
            Ended(task, s_grace, CancellationToken.None);
            throw;
        }

        return task.GetAwaiter().GetResult();
    }

    private void Show(Task task, CancellationToken cancellation)
    {
        IAnsiConsole console = AnsiConsole.Create(new AnsiConsoleSettings { Out = new AnsiConsoleOutput(Console.Error) });
        console.Status().Start(Text(), status =>
        {
            while (!Ended(task, s_redraw, cancellation))
            {
                status.Status(Text());
            }
        });
    }

    private string Text() => Markup.Escape(Reports.Printable.Line(_latest));

    /// <summary>Waits without throwing what the task throws.</summary>
    private static bool Ended(Task task, TimeSpan limit, CancellationToken cancellation)
        => Task.WhenAny(task).Wait((int)limit.TotalMilliseconds, cancellation);
}
