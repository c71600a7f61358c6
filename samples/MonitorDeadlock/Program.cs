using Samples;

namespace MonitorDeadlock;

/// <summary>Three threads take three locks in a circle; two more wait behind them. See README.md.</summary>
internal static class Program
{
    private static void Main()
    {
        OrderBook orders = new();
        Inventory stock = new();
        Ledger ledger = new();
        ReportArchive archive = new();

        Warmth.Up(OpenTheCircle);
        using Barrier allHold = new(5);
        Worker[] workers = Start(orders, orders, stock, ledger, archive, allHold);

        foreach (Worker worker in workers)
        {
            while (!worker.IsBlocked)
            {
                Thread.Yield();
            }
        }

        foreach (Worker worker in workers)
        {
            Console.WriteLine(worker);
        }

        Console.WriteLine($"READY pid={Environment.ProcessId} runtime={Environment.Version}");
        Thread.Sleep(Timeout.Infinite);
    }

    // The book-keeper wants another order book.
    private static void OpenTheCircle()
    {
        using Barrier allHold = new(5);
        Array.ForEach(Start(new(), new(), new(), new(), new(), allHold), worker => worker.Join());
    }

    private static Worker[] Start(
        OrderBook orders, OrderBook settled, Inventory stock, Ledger ledger, ReportArchive archive, Barrier allHold)
    {
        Worker[] workers =
        [
            new("order-intake", orders, stock, ReserveStock, allHold),
            new("stock-keeper", stock, ledger, BookStock, allHold),
            new("book-keeper", ledger, settled, SettleOrders, allHold),
            new("report-writer", archive, ledger, WriteReport, allHold),
            new("report-mailer", null, archive, MailReport, allHold),
        ];
        foreach (Worker worker in workers)
        {
            worker.Start();
        }

        return workers;
    }

    /// <summary>Holds the order book, wants the stock.</summary>
    private static void ReserveStock(Worker self)
    {
        lock (self.Holds)
        {
            self.MeetTheOthers();
            lock (self.Wants)
            {
                Console.WriteLine("never printed");
            }
        }
    }

    /// <summary>Holds the stock, wants the ledger.</summary>
    private static void BookStock(Worker self)
    {
        lock (self.Holds)
        {
            self.MeetTheOthers();
            lock (self.Wants)
            {
                Console.WriteLine("never printed");
            }
        }
    }

    /// <summary>Holds the ledger, wants the order book: the circle is closed.</summary>
    private static void SettleOrders(Worker self)
    {
        lock (self.Holds)
        {
            self.MeetTheOthers();
            lock (self.Wants)
            {
                Console.WriteLine("never printed");
            }
        }
    }

    /// <summary>Outside the circle: holds the archive, wants the ledger.</summary>
    private static void WriteReport(Worker self)
    {
        lock (self.Holds)
        {
            self.MeetTheOthers();
            lock (self.Wants)
            {
                Console.WriteLine("never printed");
            }
        }
    }

    /// <summary>Outside the circle: holds nothing, wants the archive.</summary>
    private static void MailReport(Worker self)
    {
        self.MeetTheOthers();
        lock (self.Wants)
        {
            Console.WriteLine("never printed");
        }
    }
}
