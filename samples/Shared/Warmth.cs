using System.Runtime;

namespace Samples;

/// <summary>
/// Brings a sample's methods to where those of a service are that has run for a while: compiled again, with what was learnt of their calls.
/// Does nothing unless SAMPLE_WARM is 1.
/// </summary>
internal static class Warmth
{
    // A method is compiled again after 30 calls, and code that came with .NET once more after as many.
    private const int Rounds = 40;
    private const int QuietPauses = 5;

    private static readonly TimeSpan s_pause = TimeSpan.FromMilliseconds(150);
    private static readonly bool s_isWanted = Environment.GetEnvironmentVariable("SAMPLE_WARM") == "1";

    /// <summary>
    /// Runs a round, which comes to an end by itself, again and again until the runtime compiles nothing more. What it prints is lost.
    /// </summary>
    public static void Up(Action round)
    {
        if (!s_isWanted)
        {
            return;
        }

        TextWriter output = Console.Out;
        Console.SetOut(TextWriter.Null);
        for (int quiet = 0; quiet < QuietPauses;)
        {
            long compiled = JitInfo.GetCompiledMethodCount();
            for (int i = 0; i < Rounds; i++)
            {
                round();
            }

            // The runtime begins to count calls when no new method was called for 100 ms, and compiles on a thread of its own. It tells
            // neither, only how much it has compiled: when that has stood still time after time, nothing is left to come.
            Thread.Sleep(s_pause);
            quiet = JitInfo.GetCompiledMethodCount() == compiled ? quiet + 1 : 0;
        }

        Console.SetOut(output);
    }

    /// <summary>Returns when each of the threads waits, or has ended.</summary>
    public static void AwaitWaits(params Thread[] threads)
        => SpinWait.SpinUntil(() => Array.TrueForAll(threads, WaitsOrHasEnded));

    /// <summary>Returns when each of the threads has ended.</summary>
    public static void Join(params Thread[] threads) => Array.ForEach(threads, thread => thread.Join());

    private static bool WaitsOrHasEnded(Thread thread)
        => (thread.ThreadState & (ThreadState.WaitSleepJoin | ThreadState.Stopped)) != 0;
}
