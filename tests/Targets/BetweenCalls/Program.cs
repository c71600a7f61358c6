using System.Runtime.CompilerServices;

namespace BetweenCalls;

/// <summary>
/// A thread that will keep a promise computes, and is nearly always between two calls: of such a place the compiler does not say where the
/// objects of the method are.
/// </summary>
internal static class Program
{
    private static bool s_turns;

    private static async Task Main()
    {
        Task<ulong> kept = Begin();
        SpinWait.SpinUntil(() => Volatile.Read(ref s_turns));
        Console.WriteLine($"READY pid={Environment.ProcessId} runtime={Environment.Version}");
        Console.WriteLine(await kept);
    }

    // Nobody but the thread has the promise.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static Task<ulong> Begin()
    {
        TaskCompletionSource<ulong> promise = new();
        new Thread(Turn) { Name = "turning", IsBackground = true }.Start(promise);
        return promise.Task;
    }

    [MethodImpl(MethodImplOptions.NoInlining | MethodImplOptions.AggressiveOptimization)]
    private static void Turn(object? promise)
    {
        ulong number = 1;
        while (IsWanted())
        {
            number = Mix(Mix(Mix(Mix(number))));
            number = Mix(Mix(Mix(Mix(number))));
        }

        ((TaskCompletionSource<ulong>)promise!).SetResult(number);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static bool IsWanted()
    {
        Volatile.Write(ref s_turns, true);
        return s_turns;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static ulong Mix(ulong number)
    {
        number = (number * 31) ^ (number >> 3);
        number = (number * 33) ^ (number >> 5);
        number = (number * 35) ^ (number >> 7);
        number = (number * 37) ^ (number >> 2);
        number = (number * 39) ^ (number >> 9);
        number = (number * 41) ^ (number >> 4);
        number = (number * 43) ^ (number >> 6);
        number = (number * 45) ^ (number >> 8);
        return number + 1;
    }
}
