using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Samples;

namespace HostStop;

/// <summary>A host does not stop, because the loop of its service reads a channel that nobody completes. See README.md.</summary>
internal static class Program
{
    private static void Main()
    {
        MailSender sender = new();
        using IHost host = new HostBuilder().ConfigureServices(services => services.AddSingleton<IHostedService>(sender)).Build();
        host.Start();
        Thread main = Thread.CurrentThread;
        new Thread(() => Announce(sender, main)) { Name = "announcer", IsBackground = true }.Start();
        host.StopAsync().GetAwaiter().GetResult();
    }

    /// <summary>Says READY when the host has asked the service to stop and Main waits for it; then waits for Main, so that nothing moves any more.</summary>
    private static void Announce(MailSender sender, Thread main)
    {
        while (!sender.IsStopping || !ThreadRest.IsAtRest(main))
        {
            Thread.Yield();
        }

        Console.WriteLine($"READY pid={Environment.ProcessId} runtime={Environment.Version}");
        main.Join();
    }
}
