namespace HangTriage.Tests.Capture.Managed.Code;

/// <content>Loops that only seem to end by themselves, and those of which nobody knows.</content>
public sealed partial class IlLimitsTests
{
    private static int Follows()
    {
        int at = 0, seen = 0;
        while (at != 5)
        {
            at = s_next[at];
            seen++;
        }

        return seen;
    }

    private static int CountsAway(int from)
    {
        int sum = 0;
        for (int at = from; at < 10; at--)
        {
            sum ^= at;
        }

        return sum;
    }

    private static int CountsForEver()
    {
        int sum = 0;
        for (int at = 0; at < int.MaxValue; at++)
        {
            sum ^= at;
        }

        return sum;
    }

    private static long CountsForEverWithLong()
    {
        long sum = 0;
        for (long at = 0; at < long.MaxValue; at++)
        {
            sum ^= at;
        }

        return sum;
    }

    private static int GoesBack(int[] items)
    {
        int sum = 0;
        for (int at = 0; at < items.Length; at++)
        {
            if (items[at] == 3)
            {
                at = 0;
            }

            sum += at;
        }

        return sum;
    }

    private static int PushesLimit(int to)
    {
        int sum = 0;
        for (int at = 0; at < to; at++)
        {
            to += at & 1;
            sum += at;
        }

        return sum;
    }

    private static int FillsWhatItWalks(List<int> items)
    {
        int sum = 0;
        for (int at = 0; at < items.Count; at++)
        {
            sum += at;
            items.Add(s_next[at & 3]);
        }

        return sum;
    }

    private static int SkipsCount(int[] items)
    {
        int at = 0, sum = 0;
        while (at < items.Length)
        {
            if (items[at] < 0)
            {
                continue;
            }

            sum += items[at];
            at++;
        }

        return sum;
    }

    private static int TriesAgainAfterFailure(Func<int, int> ask)
    {
        int at = 0, sum = 0;
        while (at < 10)
        {
            try
            {
                sum += ask(at);
                at++;
            }
            catch (InvalidOperationException)
            {
                sum--;
            }
        }

        return sum;
    }

    private static int HandsOutCount(int to)
    {
        int sum = 0;
        for (int at = 0; at < to; at++)
        {
            Turn(ref at);
            sum += at;
        }

        return sum;
    }

    private static void Turn(ref int at) => at ^= 4;

    private sealed class Source(int items)
    {
        private int _left = items;

        public bool TryRead(out int item) => (item = _left--) > 0;
    }

    private static int Narrows(int[] items, int wanted)
    {
        int low = 0, high = items.Length;
        while (low < high)
        {
            int middle = (low + high) / 2;
            if (items[middle] < wanted)
            {
                low = middle;
            }
            else
            {
                high = middle;
            }
        }

        return low;
    }

    private static int WalksWhateverComes(IEnumerable<int> items)
    {
        int sum = 0;
        foreach (int item in items)
        {
            sum += item;
        }

        return sum;
    }

    private static int LooksAtClockOrAsks(Func<int> ask)
    {
        DateTime end = DateTime.UtcNow.AddSeconds(5);
        int rounds = 0;
        while (ask() > 0 || DateTime.UtcNow < end)
        {
            rounds ^= 3;
        }

        return rounds;
    }

    private static int CountsOrAsks(Func<int> ask)
    {
        int sum = 0;
        for (int at = 0; at < 10 || ask() > 0; at++)
        {
            sum ^= at;
        }

        return sum;
    }

    private static int LooksAtClockAtTimes(Func<int> ask)
    {
        DateTime end = DateTime.UtcNow.AddSeconds(5);
        int answer = 0;
        while (answer == 0)
        {
            answer = ask();
            if (answer < 0 && DateTime.UtcNow > end)
            {
                break;
            }
        }

        return answer;
    }
}
