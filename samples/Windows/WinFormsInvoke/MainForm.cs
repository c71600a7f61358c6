using System.Windows.Forms;

namespace WinFormsInvoke;

/// <summary>A window that presses its own button by a message, once it is shown, and whose worker invokes on it.</summary>
internal sealed class MainForm : Form
{
    private readonly Thread _window = Thread.CurrentThread;
    private readonly Button _button = new() { Text = "Save" };
    private readonly List<string> _orders = [];
    private readonly ManualResetEventSlim _isTaken = new();
    private readonly string _how;
    private volatile Thread? _worker;

    public MainForm(string how)
    {
        _how = how;
        _button.Click += (_, _) => Save();
        Controls.Add(_button);
    }

    /// <summary>The threads that are to wait; empty before they have begun to.</summary>
    public IReadOnlyList<Thread> Waiting => _worker is not { } worker ? [] : _how == "slow" ? [worker] : [_window, worker];

    protected override void OnShown(EventArgs e)
    {
        base.OnShown(e);
        BeginInvoke(_button.PerformClick);
    }

    private void Save()
    {
        switch (_how)
        {
            case "lock":
                _ = Start(ReportUnderLock);
                _isTaken.Wait();
                lock (_orders)
                {
                    _orders.Clear();
                }

                break;
            case "task":
                Task.Run(Report).Wait();
                break;
            case "join":
                Start(Report).Join();
                break;
            default:
                _ = Start(Report);
                Draw();
                break;
        }
    }

    private static Thread Start(ThreadStart run)
    {
        Thread worker = new(run) { Name = "worker", IsBackground = true };
        worker.Start();
        return worker;
    }

    private void ReportUnderLock()
    {
        lock (_orders)
        {
            _isTaken.Set();
            Report();
        }
    }

    private void Report()
    {
        _worker = Thread.CurrentThread;
        Invoke(() => Text = "never shown");
    }

    // It takes long, and makes progress.
    private static void Draw()
    {
        while (true)
        {
            Thread.Sleep(5);
        }
    }
}
