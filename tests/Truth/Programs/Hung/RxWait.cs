using System.Reactive.Linq;
using System.Reactive.Subjects;

namespace Truth.Hung;

/// <summary>The first thread waits, with Rx, for a value of a source that ended without saying so.</summary>
internal static class RxWait
{
    public static void Run()
    {
        Thread main = Thread.CurrentThread;
        Dashboard dashboard = new();
        Ready.WhenAtRest(() => dashboard.IsWaiting, main);
        Console.WriteLine(dashboard.FirstQuoteOf("ACME"));
    }

    private sealed class Dashboard
    {
        private volatile bool _isWaiting;

        public bool IsWaiting => _isWaiting;

        public string FirstQuoteOf(string symbol)
        {
            Subject<string> quotes = new();
            Thread feed = new(() =>
            {
                foreach (string quote in new[] { "FOO 1", "BAR 2" })
                {
                    quotes.OnNext(quote);
                }
            })
            { Name = "feed" };
            IObservable<string> first = quotes.Where(quote => quote.StartsWith(symbol, StringComparison.Ordinal)).FirstAsync();
            feed.Start();
            feed.Join();
            _isWaiting = true;
            return first.Wait();
        }
    }
}
