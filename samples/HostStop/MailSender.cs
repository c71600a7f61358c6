using System.Threading.Channels;
using Microsoft.Extensions.Hosting;

namespace HostStop;

/// <summary>Sends what is put into a channel. Its stop waits for the loop, and neither completes the channel nor cancels a token of the loop.</summary>
internal sealed class MailSender : IHostedService
{
    private readonly Channel<string> _mails = Channel.CreateUnbounded<string>();
    private Task _loop = Task.CompletedTask;

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
        while (await _mails.Reader.WaitToReadAsync().ConfigureAwait(false))
        {
            while (_mails.Reader.TryRead(out string? mail))
            {
                Console.WriteLine(mail);
            }
        }
    }
}
