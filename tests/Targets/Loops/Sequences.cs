namespace Loops;

/// <summary>A loop over a sequence that gives the next for ever.</summary>
internal static class Sequences
{
    public static void Search(bool isEndless)
    {
        for (long pass = 1; pass < 2_000_000_000; pass++)
        {
            _ = FirstFree(isEndless ? int.MinValue : 90_000);
        }
    }

    private static int FirstFree(int wanted) => Slots().First(slot => slot == wanted);

    private static IEnumerable<int> Slots()
    {
        for (int slot = 0; ; slot = (slot + 1) % 100_000)
        {
            yield return slot;
        }
    }
}
