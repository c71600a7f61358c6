using Microsoft.EntityFrameworkCore;
using Microsoft.EntityFrameworkCore.Storage;

namespace Truth.Hung;

/// <summary>
/// An order is saved in a transaction of EF Core, and in the middle of it the points of the customer, over a context of their own: SQLite
/// keeps the file for the first, and the second has no timeout.
/// </summary>
internal static class PointsBesideOrder
{
    private static volatile bool s_isSaving;

    public static async Task RunAsync()
    {
        string file = Scratch.File("points.db");
        await using (Store first = new(file))
        {
            await first.Database.EnsureCreatedAsync();
        }

        Thread? saver = null;
        Ready.When(() => s_isSaving && saver is not null && (saver.ThreadState & ThreadState.WaitSleepJoin) != 0);
        await Task.Run(async () =>
        {
            saver = Thread.CurrentThread;
            await AcceptAsync(file, "Ada");
        });
    }

    private static async Task AcceptAsync(string file, string customer)
    {
        await using Store orders = new(file);
        await using IDbContextTransaction transaction = await orders.Database.BeginTransactionAsync();
        orders.Notes.Add(new Note { Text = $"order of {customer}" });
        await orders.SaveChangesAsync();
        await CreditAsync(file, customer);
        await transaction.CommitAsync();
    }

    private static async Task CreditAsync(string file, string customer)
    {
        await using Store points = new(file);
        points.Notes.Add(new Note { Text = $"points of {customer}" });
        s_isSaving = true;
        await points.SaveChangesAsync();
    }

    internal sealed class Note
    {
        public int Id { get; set; }

        public string Text { get; set; } = "";
    }

    internal sealed class Store(string file) : DbContext
    {
        public DbSet<Note> Notes => Set<Note>();

        protected override void OnConfiguring(DbContextOptionsBuilder options)
            => options.UseSqlite($"Data Source={file};Pooling=False;Default Timeout=0", sqlite => sqlite.CommandTimeout(0));
    }
}
