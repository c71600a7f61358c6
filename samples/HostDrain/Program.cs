using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Samples;

namespace HostDrain;

/// <summary>A host stops slowly, because its service sends what is in its queue. See README.md.</summary>
internal static class Program
{
    private const int StepsBeforeReady = 20;

    private static void Main()
    {
        MailSender sender = new();
        using IHost host = new HostBuilder().ConfigureServices(services => services.AddSingleton<IHostedService>(sender)).Build();
        host.Start();
        Thread main = Thread.CurrentThread;
        new Thread(() => Announce(sender, main)) { Name = "announcer", IsBackground = true }.Start();
        host.StopAsync().GetAwaiter().GetResult();
    }

    /// <summary>Says READY when the host has asked the service to stop and Main waits for it.</summary>
    private static void Announce(MailSender sender, Thread main)
    {
        while (!sender.IsStopping || sender.Sent < StepsBeforeReady || !ThreadRest.IsAtRest(main))
        {
            Thread.Yield();
        }

        Console.WriteLine($"READY pid={Environment.ProcessId} runtime={Environment.Version}");
        main.Join();
    }
}
