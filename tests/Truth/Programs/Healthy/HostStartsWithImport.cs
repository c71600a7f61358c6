using Microsoft.EntityFrameworkCore;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;

namespace Truth.Healthy;

/// <summary>A host starts: before its services run it imports rows into a database of SQLite, a long time.</summary>
internal static class HostStartsWithImport
{
    private static int s_imported;

    public static async Task RunAsync()
    {
        HostApplicationBuilder builder = Host.CreateEmptyApplicationBuilder(new HostApplicationBuilderSettings());
        builder.Logging.ClearProviders();
        builder.Services.AddHostedService<Import>();
        using IHost host = builder.Build();
        Ready.When(() => Volatile.Read(ref s_imported) > 3);
        await host.RunAsync();
    }

    internal sealed class Import : IHostedService
    {
        public async Task StartAsync(CancellationToken cancellationToken)
        {
            await using ShopContext shop = new();
            await shop.Database.EnsureCreatedAsync(cancellationToken);
            for (int number = 0; number < 1_000_000; number++)
            {
                shop.Articles.Add(new Article { Name = $"article {number}" });
                await shop.SaveChangesAsync(cancellationToken);
                Interlocked.Increment(ref s_imported);
            }
        }

        public Task StopAsync(CancellationToken cancellationToken) => Task.CompletedTask;
    }

    internal sealed class Article
    {
        public int Id { get; set; }

        public string Name { get; set; } = string.Empty;
    }

    internal sealed class ShopContext : DbContext
    {
        public DbSet<Article> Articles => Set<Article>();

        protected override void OnConfiguring(DbContextOptionsBuilder optionsBuilder) => optionsBuilder.UseSqlite($"Data Source={Scratch.File("shop")}");
    }
}
