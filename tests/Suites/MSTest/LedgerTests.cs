using Microsoft.VisualStudio.TestTools.UnitTesting;

namespace Suites;

[TestClass]
public sealed class LedgerTests
{
    [TestMethod]
    public void Adds() => _ = 1 + 1;

    [TestMethod]
    public void Posts() => Ledger.Post();

    [TestMethod]
    public async Task Answers()
    {
        await Task.Yield();
        await Ledger.AskAsync();
    }
}
