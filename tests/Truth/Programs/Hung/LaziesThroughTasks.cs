using Samples;

namespace Truth.Hung;

/// <summary>Two lazy values load each other in tasks, each asked for by a thread of its own.</summary>
internal static class LaziesThroughTasks
{
    private static readonly Lazy<string> s_tariffs = new(LoadTariffs);
    private static readonly Lazy<string> s_customers = new(LoadCustomers);
    private static readonly CountdownEvent s_both = new(2);

    public static void Run()
    {
        Thread billing = new(() => Console.WriteLine(s_tariffs.Value)) { Name = "billing" };
        Thread support = new(() => Console.WriteLine(s_customers.Value)) { Name = "support" };
        billing.Start();
        support.Start();
        Ready.WhenAtRest(() => s_both.IsSet, billing, support);
        billing.Join();
        support.Join();
    }

    private static string LoadTariffs()
    {
        s_both.Signal();
        s_both.Wait();
        return Task.Run(() => s_customers.Value).Result + "t";
    }

    private static string LoadCustomers()
    {
        s_both.Signal();
        s_both.Wait();
        return Task.Run(() => s_tariffs.Value).GetAwaiter().GetResult() + "c";
    }
}
