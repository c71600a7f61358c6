using Xunit;

namespace Suites;

public sealed class LedgerTests
{
    [Fact]
    public void Adds() => _ = 1 + 1;

    [Fact]
    public void Posts() => Ledger.Post();

    [Fact]
    public async Task Answers()
    {
        await Task.Yield();
        await Ledger.AskAsync();
    }
}
