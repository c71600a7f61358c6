using Microsoft.EntityFrameworkCore;
using Truth.Children;

namespace Truth.Hung;

/// <summary>EF Core saves into an SQLite file that a transaction of another process has locked; no timeout.</summary>
internal static class SqliteLockedElsewhere
{
    private static volatile bool s_isSaving;

    public static void Run()
    {
        string file = Scratch.File("shop.db");
        using Shop shop = new(file);
        shop.Database.EnsureCreated();
        shop.Database.CloseConnection();
        Child.StartAndAwait("child-sqlite", file);
        OrderService orders = new(shop);
        Ready.When(() => s_isSaving);
        orders.Place("Ada");
    }

    private sealed class OrderService(Shop shop)
    {
        public void Place(string customer)
        {
            shop.Orders.Add(new Order { Customer = customer });
            s_isSaving = true;
            shop.SaveChanges();
            s_isSaving = false;
        }
    }

    internal sealed class Order
    {
        public int Id { get; set; }

        public string Customer { get; set; } = "";
    }

    internal sealed class Shop(string file) : DbContext
    {
        public DbSet<Order> Orders => Set<Order>();

        protected override void OnConfiguring(DbContextOptionsBuilder options)
            => options.UseSqlite($"Data Source={file};Pooling=False", sqlite => sqlite.CommandTimeout(0));
    }
}
