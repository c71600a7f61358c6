using System.Windows.Forms;

namespace WinFormsTaskResult;

/// <summary>A window that presses its own button by a message, once it is shown.</summary>
internal sealed class MainForm : Form
{
    private readonly Thread _ui = Thread.CurrentThread;
    private readonly Button _button = new() { Text = "Load" };
    private readonly bool _isSlow;
    private volatile bool _asks;
    private volatile bool _works;

    public MainForm(bool isSlow)
    {
        _isSlow = isSlow;
        _button.Click += Button_Click;
        Controls.Add(_button);
    }

    /// <summary>The handler is blocked, and nothing of its task but what it waits for is left to run.</summary>
    public bool IsStuck
        => _asks && _works && ThreadPool.PendingWorkItemCount == 0 && Timer() && _ui.ThreadState.HasFlag(ThreadState.WaitSleepJoin);

    protected override void OnShown(EventArgs e)
    {
        base.OnShown(e);
        BeginInvoke(_button.PerformClick);
    }

    private bool Timer() => System.Threading.Timer.ActiveCount == (_isSlow ? 1 : 0);

    private void Button_Click(object? sender, EventArgs e)
    {
        Task<int> work = _isSlow ? Task.Run(async () => await SlowAsync()) : WorkAsync();
        _asks = true;
        Text = $"never shown: {work.Result}";
    }

    private async Task<int> WorkAsync()
    {
        _works = true;
        await Task.Delay(TimeSpan.FromMilliseconds(100));
        return 1;
    }

    private async Task<int> SlowAsync()
    {
        _works = true;
        await Task.Delay(TimeSpan.FromHours(1));
        return 1;
    }
}
