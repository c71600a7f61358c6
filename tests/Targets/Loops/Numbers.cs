namespace Loops;

/// <summary>Loops that compute until a number is right.</summary>
internal static class Numbers
{
    private const long Passes = 4_000_000_000;

    public static void Bisect(bool isEndless)
    {
        int[] prices = [.. Enumerable.Range(0, 1_000_000)];
        for (long pass = 0; pass < Passes; pass++)
        {
            _ = IndexOf(prices, (int)(pass % prices.Length), isEndless ? 0 : 1);
        }
    }

    // Without the step behind the middle two neighbours are compared for ever.
    private static int IndexOf(int[] prices, int price, int step)
    {
        int low = 0;
        int high = prices.Length;
        while (low < high)
        {
            int middle = (low + high) / 2;
            if (prices[middle] < price || step == 0)
            {
                low = middle + step;
            }
            else
            {
                high = middle;
            }
        }

        return low;
    }

    public static void Converge(bool isEndless)
    {
        for (long pass = 1; pass < Passes; pass++)
        {
            _ = Root(isEndless ? double.NaN : pass, new Precision { Relative = 1e-6 });
        }
    }

    private static double Root(double square, Precision precision)
    {
        double root = square;
        while (!(Math.Abs((root * root) - square) < precision.Relative * square))
        {
            root = (root + (square / root)) / 2;
        }

        return root;
    }

    public static void CountDown(bool isEndless)
    {
        byte[] weights = new byte[1_000];
        for (long pass = 0; pass < Passes; pass++)
        {
            _ = Weigh(weights, isEndless ? 0u : 1u);
        }
    }

    // A number without a sign is never below zero.
    private static long Weigh(byte[] weights, uint least)
    {
        long total = 0;
        for (uint index = (uint)weights.Length - 1; index >= least; index--)
        {
            total += weights[index % (uint)weights.Length];
        }

        return total;
    }

    public static void Split(bool isEndless)
    {
        for (long pass = 1; pass < Passes; pass++)
        {
            _ = Parts(pass % 1_000_000, isEndless ? 0 : 3);
        }
    }

    private static int Parts(long amount, long part)
    {
        int parts = 0;
        while (amount >= 0)
        {
            amount -= part;
            parts++;
        }

        return parts;
    }

    // What is set when it is made and at no other time.
    private sealed record Precision
    {
        public double Relative { get; init; }
    }
}
