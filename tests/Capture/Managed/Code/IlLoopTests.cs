using System.Reflection;
using HangTriage.Capture.Managed.Code;

namespace HangTriage.Tests.Capture.Managed.Code;

/// <summary>Loops as the compiler makes them: those that look whether somebody else has changed something, and those that compute.</summary>
public sealed class IlLoopTests
{
    private static readonly Shared s_shared = new();
    private static Node? s_first;

    [Theory]
    [InlineData(nameof(Looks), false)]
    [InlineData(nameof(LooksAndCounts), false)]
    [InlineData(nameof(LooksByVariable), false)]
    [InlineData(nameof(WalksList), true)]
    [InlineData(nameof(WalksByParameter), true)]
    [InlineData(nameof(AddsAnotherNumber), true)]
    [InlineData(nameof(FollowsNumbers), true)]
    [InlineData(nameof(FollowsInField), true)]
    [InlineData(nameof(Mixes), true)]
    public void A_loop_that_carries_more_than_a_count_from_round_to_round_computes(string method, bool computes)
    {
        IReadOnlyList<IlInstruction> body = IlDecoder.Decode(
            typeof(IlLoopTests).GetMethod(method, BindingFlags.Static | BindingFlags.NonPublic)!.GetMethodBody()!.GetILAsByteArray());
        (int start, int end) = IlLoops.WaitLoops(body).Last();

        Assert.Equal(computes, IlCarried.Any([.. body.Where(instruction => instruction.Offset >= start && instruction.End <= end)]));
    }

    [Theory]
    [InlineData(nameof(AddsUntilNobodyComesBetween), true)]
    [InlineData(nameof(PutsInFrontUntilNobodyComesBetween), true)]
    [InlineData(nameof(TakesLock), false)]
    [InlineData(nameof(TakesLockByItsId), false)]
    [InlineData(nameof(PutsBackConstant), false)]
    public void Who_compares_with_what_was_there_before_updates_and_takes_no_lock(string method, bool updates)
    {
        IReadOnlyList<IlInstruction> body = IlDecoder.Decode(
            typeof(IlLoopTests).GetMethod(method, BindingFlags.Static | BindingFlags.NonPublic)!.GetMethodBody()!.GetILAsByteArray());
        int call = body.Index().Last(pair => pair.Item.IsCall).Index;

        Assert.Equal(updates, IlUpdates.Compares(body, call));
    }

    private static void AddsUntilNobodyComesBetween(int amount)
    {
        int seen;
        do
        {
            seen = s_shared.Spins;
        }
        while (Interlocked.CompareExchange(ref s_shared.Spins, seen + amount, seen) != seen);
    }

    private static void PutsInFrontUntilNobodyComesBetween(Node link)
    {
        Node? seen = null;
        while (true)
        {
            link.Next = seen;
            if (Interlocked.CompareExchange(ref s_first, link, seen) == seen)
            {
                return;
            }
        }
    }

    private static void TakesLock()
    {
        while (Interlocked.CompareExchange(ref s_shared.Spins, 1, 0) != 0)
        {
        }
    }

    private static void TakesLockByItsId(int id)
    {
        while (Interlocked.CompareExchange(ref s_shared.Spins, id, 0) != 0)
        {
        }
    }

    private static void PutsBackConstant(int seen)
    {
        while (Interlocked.CompareExchange(ref s_shared.Spins, 1, seen) != seen)
        {
        }
    }

    private static void Looks()
    {
        while (!s_shared.Done)
        {
        }
    }

    private static void LooksAndCounts()
    {
        int rounds = 0;
        while (s_shared.State != 2)
        {
            rounds++;
            s_shared.Spins++;
        }

        s_shared.Spins += rounds;
    }

    private static void LooksByVariable()
    {
        bool isDone = false;
        while (!isDone)
        {
            isDone = s_shared.State == 2;
        }
    }

    private static int WalksList(Node first)
    {
        int deepest = 0;
        for (Node? node = first; node is not null; node = node.Next)
        {
            deepest++;
        }

        return deepest;
    }

    private static void WalksByParameter(Node? node)
    {
        while (node is not null)
        {
            node = node.Next;
        }
    }

    private static long AddsAnotherNumber(int step)
    {
        long sum = 1;
        while (sum != s_shared.State)
        {
            sum = (sum * 31L) + step;
        }

        return sum;
    }

    private static int FollowsNumbers()
    {
        int at = 1;
        while (at != s_shared.State)
        {
            at = s_shared.Next[at];
        }

        return at;
    }

    private static void FollowsInField()
    {
        while (s_shared.Spins != s_shared.State)
        {
            s_shared.Spins = s_shared.Next[s_shared.Spins];
        }
    }

    private static long Mixes(long salt)
    {
        long hash = 1;
        while (hash % 1_000_003 != s_shared.State)
        {
            hash = (hash * 31) + salt;
        }

        return hash;
    }

    private sealed class Shared
    {
        public bool Done { get; set; }

        public int State { get; set; }

        public int[] Next { get; set; } = [0];

        public int Spins;
    }

    private sealed class Node
    {
        public Node? Next { get; set; }
    }
}
