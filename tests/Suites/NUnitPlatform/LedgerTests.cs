using NUnit.Framework;

namespace Suites;

public sealed class LedgerTests
{
    [Test]
    public void Adds() => _ = 1 + 1;

    [Test]
    public void Posts() => Ledger.Post();

    [Test]
    public async Task Answers()
    {
        await Task.Yield();
        await Ledger.AskAsync();
    }
}
