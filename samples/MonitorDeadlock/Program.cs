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

        using Barrier allHold = new(5);
        Worker[] workers =
        [
            new("order-intake", orders, stock, ReserveStock, allHold),
            new("stock-keeper", stock, ledger, BookStock, allHold),
            new("book-keeper", ledger, orders, SettleOrders, allHold),
            new("report-writer", archive, ledger, WriteReport, allHold),
            new("report-mailer", null, archive, MailReport, allHold),
        ];
        foreach (Worker worker in workers)
        {
            worker.Start();
        }

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
