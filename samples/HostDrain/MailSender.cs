using Microsoft.Extensions.Hosting;

namespace HostDrain;

/// <summary>Has a long queue, and sends all of it before it stops.</summary>
internal sealed class MailSender : IHostedService
{
    private static readonly TimeSpan s_oneMail = TimeSpan.FromMilliseconds(5);

    private Task _loop = Task.CompletedTask;
    private volatile int _sent;

    public int Sent => _sent;

    /// <summary>The host has asked it to stop, and it waits.</summary>
    public volatile bool IsStopping;

    public Task StartAsync(CancellationToken cancellationToken)
    {
        _loop = SendLoopAsync();
        return Task.CompletedTask;
    }

    public Task StopAsync(CancellationToken cancellationToken)
    {
        Task stop = FinishAsync();
        IsStopping = true;
        return stop;
    }

    private async Task FinishAsync() => await _loop.ConfigureAwait(false);

    private async Task SendLoopAsync()
    {
        for (_sent = 0; _sent < int.MaxValue; _sent++)
        {
            await Task.Delay(s_oneMail).ConfigureAwait(false);
        }
    }
}
