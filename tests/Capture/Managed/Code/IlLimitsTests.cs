using System.Diagnostics;
using System.Reflection;
using System.Runtime.CompilerServices;
using HangTriage.Capture.Managed.Code;

namespace HangTriage.Tests.Capture.Managed.Code;

/// <summary>Loops as the compiler makes them: those that end for certain, and those that only seem to.</summary>
public sealed partial class IlLimitsTests
{
    private static readonly int[] s_next = [1, 2, 3, 1];
    private static readonly long s_paths = 2_000_000;

    [Theory]
    [InlineData(nameof(Counts), true)]
    [InlineData(nameof(CountsDown), true)]
    [InlineData(nameof(CountsFarWithLong), true)]
    [InlineData(nameof(CountsToField), true)]
    [InlineData(nameof(CountsInWhile), true)]
    [InlineData(nameof(CountsBelowOther), true)]
    [InlineData(nameof(CountsAndLooksAtClock), true)]
    [InlineData(nameof(GivesUpAfterTime), true)]
    [InlineData(nameof(LeavesAfterTries), true)]
    [InlineData(nameof(WalksList), true)]
    [InlineData(nameof(ReadsUntilThereIsNone), true)]
    [InlineData(nameof(TakesUntilThereIsNone), true)]
    [InlineData(nameof(TakesAndPutsBack), false)]
    [InlineData(nameof(TriesUntilItGetsOne), false)]
    [InlineData(nameof(Follows), false)]
    [InlineData(nameof(CountsAway), false)]
    [InlineData(nameof(CountsForEver), false)]
    [InlineData(nameof(CountsForEverWithLong), false)]
    [InlineData(nameof(GoesBack), false)]
    [InlineData(nameof(PushesLimit), false)]
    [InlineData(nameof(FillsWhatItWalks), false)]
    [InlineData(nameof(SkipsCount), false)]
    [InlineData(nameof(TriesAgainAfterFailure), false)]
    [InlineData(nameof(HandsOutCount), false)]
    [InlineData(nameof(Narrows), false)]
    [InlineData(nameof(WalksWhateverComes), false)]
    [InlineData(nameof(LooksAtClockAtTimes), false)]
    [InlineData(nameof(LooksAtClockOrAsks), false)]
    [InlineData(nameof(CountsOrAsks), false)]
    public void A_loop_ends_for_certain_where_each_round_comes_nearer_to_a_limit_that_stands(string method, bool ends)
    {
        MethodBody tried = typeof(IlLimitsTests).GetMethod(method, BindingFlags.Static | BindingFlags.NonPublic)!.GetMethodBody()!;
        IReadOnlyList<IlInstruction> body = IlDecoder.Decode(tried.GetILAsByteArray());
        IlClause[] clauses = [.. tried.ExceptionHandlingClauses.Select(clause => new IlClause(
            clause.TryOffset, clause.TryOffset + clause.TryLength, clause.HandlerOffset, clause.HandlerOffset + clause.HandlerLength)
        { Catches = clause.Flags == ExceptionHandlingClauseOptions.Clause })];
        (int start, _) = IlLoops.WaitLoops(body).Last();

        Assert.Equal(ends, new IlLimits(body, clauses, NameOf).EndsAround(start, 0));
    }

    [Theory]
    [InlineData(nameof(GivesOutByCount), true)]
    [InlineData(nameof(GivesOutAll), true)]
    [InlineData(nameof(GivesOutWhatFollows), false)]
    public void What_a_method_gives_out_one_by_one_ends_as_its_source_does(string method, bool ends)
    {
        Type machine = typeof(IlLimitsTests).GetMethod(method, BindingFlags.Static | BindingFlags.NonPublic)!
            .GetCustomAttribute<IteratorStateMachineAttribute>()!.StateMachineType;
        MethodInfo tried = machine.GetMethod("MoveNext", BindingFlags.Instance | BindingFlags.NonPublic)!;
        IReadOnlyList<IlInstruction> body = IlHoisted.AsVariables(IlDecoder.Decode(tried.GetMethodBody()!.GetILAsByteArray()));
        (int start, _) = IlLoops.WaitLoops(body).Last();

        Assert.Equal(ends, new IlLimits(body, [], NameOf).EndsAround(start, 0));
    }

    private static IEnumerable<int> GivesOutByCount(int[] items)
    {
        for (int at = 0; at < items.Length; at++)
        {
            yield return items[at];
        }
    }

    private static IEnumerable<int> GivesOutAll(List<int> items)
    {
        foreach (int item in items)
        {
            yield return item + 1;
        }
    }

    private static IEnumerable<int> GivesOutWhatFollows(int first)
    {
        for (int at = first; at != 0; at = s_next[at])
        {
            yield return at;
        }
    }

    private static IlMember? NameOf(int token)
        => typeof(IlLimitsTests).Module.ResolveMethod(token) is { DeclaringType: { } type } method
            ? new IlMember(type.IsGenericType ? $"{type.Namespace}.{type.DeclaringType?.Name}+{type.Name}" : type.FullName!, method.Name, 0)
            : null;

    private static int Counts(int[] items)
    {
        int sum = 0;
        for (int at = 0; at < items.Length; at++)
        {
            if (items[at] > 7)
            {
                sum += items[at];
            }
        }

        return sum;
    }

    private static int CountsDown(int from)
    {
        int sum = 0;
        for (int at = from; at >= 0; at--)
        {
            sum ^= at;
        }

        return sum;
    }

    private static long CountsFarWithLong()
    {
        long sum = 0;
        for (long at = 0; at < 60_000_000_000; at++)
        {
            sum ^= at;
        }

        return sum;
    }

    private static long CountsToField()
    {
        long sum = 0;
        for (long at = 0; at < s_paths; at++)
        {
            sum ^= at;
        }

        return sum;
    }

    private static int CountsInWhile(int to)
    {
        int at = 0, sum = 0;
        while (at <= to)
        {
            sum += at;
            at += 2;
        }

        return sum;
    }

    private static int CountsBelowOther(int to)
    {
        int sum = 0;
        for (int day = 0; day < to; day++)
        {
            for (int at = 0; at < day; at++)
            {
                sum ^= at;
            }
        }

        return sum;
    }

    private static double CountsAndLooksAtClock(long most, TimeSpan share)
    {
        Stopwatch clock = Stopwatch.StartNew();
        double sum = 0;
        for (long at = 0; at < most && clock.Elapsed < share; at++)
        {
            sum += Math.Sqrt(at);
        }

        return sum;
    }

    private static int GivesUpAfterTime(Func<int> ask)
    {
        DateTime end = DateTime.UtcNow.AddSeconds(5);
        int answer = 0;
        while (answer == 0)
        {
            if (DateTime.UtcNow > end)
            {
                throw new TimeoutException();
            }

            answer = ask();
        }

        return answer;
    }

    private static int LeavesAfterTries(Func<int> ask)
    {
        int tries = 0;
        while (true)
        {
            if (tries++ >= 10)
            {
                return tries;
            }

            if (ask() > 0)
            {
                return 0;
            }
        }
    }

    private static int WalksList(List<int> items)
    {
        int sum = 0;
        foreach (int item in items)
        {
            sum += item;
        }

        return sum;
    }

    private static int ReadsUntilThereIsNone(Source source)
    {
        int sum = 0;
        while (source.TryRead(out int item))
        {
            sum += item;
        }

        return sum;
    }

    private static int TakesUntilThereIsNone(Queue<int> items)
    {
        int sum = 0;
        while (items.TryDequeue(out int item))
        {
            sum += item;
        }

        return sum;
    }

    private static int TakesAndPutsBack(Queue<int> items)
    {
        int sum = 0;
        while (items.TryDequeue(out int item))
        {
            sum += item;
            items.Enqueue(item);
        }

        return sum;
    }

    private static int TriesUntilItGetsOne(Queue<int> items)
    {
        int rounds = 0;
        int item;
        while (!items.TryDequeue(out item))
        {
            rounds ^= 3;
        }

        return rounds + item;
    }
}
