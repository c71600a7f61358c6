using System.Globalization;
using HangTriage.Capture;
using HangTriage.Capture.Targets;
using HangTriage.Facts;
using HangTriage.Tests.Support.Lab;
using HangTriage.Tests.Support.Samples;

namespace HangTriage.Tests.Lab;

/// <summary>Our stacks of .NET programs for Windows against what .NET itself says of them, past jitted code too.</summary>
public sealed class ManagedStackTests
{
    // The runtime keeps the place behind the transition in a managed function that calls native code; the stack has the
    // place behind the call, a few instructions away.
    private const ulong LongestTransition = 0x40;

    public static TheoryData<string> Samples { get; } = [.. StackSamples.All];

    [Theory]
    [MemberData(nameof(Samples))]
    public void Every_frame_that_DotNet_walks_is_in_our_stack_or_passed_over_by_a_guess(string sample)
    {
        (IReadOnlyDictionary<uint, Frame[]> runtime, IReadOnlyList<ThreadFacts> threads) = Read(sample);

        Assert.NotEmpty(runtime);
        foreach ((uint id, Frame[] frames) in runtime)
        {
            FrameFacts[] ours = [.. threads.Single(thread => thread.OsId.Value == id).Stack.Frames];
            for (int i = 0; i < frames.Length; i++)
            {
                FrameFacts found = ours.First(frame => frame.Sp.Value >= frames[i].Sp);
                if (found.Sp.Value == frames[i].Sp)
                {
                    Assert.InRange(found.Ip.Value, frames[i].Ip, frames[i].Ip + (i == 0 ? LongestTransition : 0));
                }
                else
                {
                    Assert.True(found.Trust == Trust.Scanned, $"thread {id:x} has no frame at {frames[i].Sp:x}: {frames[i].Method}");
                }
            }
        }
    }

    [Theory]
    [MemberData(nameof(Samples))]
    public void Every_frame_of_jitted_code_that_is_not_called_a_guess_is_one_that_DotNet_walks(string sample)
    {
        (IReadOnlyDictionary<uint, Frame[]> runtime, IReadOnlyList<ThreadFacts> threads) = Read(sample);

        // Of a thread that runs in the runtime's own code .NET walks no frame, and says nothing of ours; in the middle of a
        // throw it leaves out what the runtime has called since, such as the catch block.
        (uint Thread, ulong Sp)[] jitted =
        [
            .. threads.Where(thread => runtime.ContainsKey(thread.OsId.Value)).SelectMany(thread => thread.Stack.Frames
                .Where(frame => frame.Module is null && frame.Trust is Trust.Read or Trust.Derived && !IsBelowThrow(frame, runtime[thread.OsId.Value][0]))
                .Select(frame => (thread.OsId.Value, frame.Sp.Value))),
        ];
        Assert.NotEmpty(jitted);
        Assert.All(jitted, frame => Assert.Contains(runtime[frame.Thread], known => known.Sp == frame.Sp));
    }

    private static bool IsBelowThrow(FrameFacts frame, Frame youngest)
        => frame.Sp.Value < youngest.Sp && youngest.Method.StartsWith("System.ThrowHelper.Throw", StringComparison.Ordinal);

    private static (IReadOnlyDictionary<uint, Frame[]> Runtime, IReadOnlyList<ThreadFacts> Threads) Read(string sample)
    {
        string dump = WindowsLab.Dump(sample, "0x1806");
        Dictionary<uint, Frame[]> runtime = WindowsLab.Output("managed-frames", dump, sample)
            .Split('\n', StringSplitOptions.RemoveEmptyEntries)
            .Select(line => line.Split('\t'))
            .GroupBy(fields => (uint)Hex(fields[0]), fields => new Frame(Hex(fields[1]), Hex(fields[2]), fields[3]))
            .ToDictionary(group => group.Key, group => group.ToArray());
        return (runtime, TargetFile.Capture(dump, CaptureContext.Default).Threads.Value);
    }

    private static ulong Hex(string text) => ulong.Parse(text, NumberStyles.HexNumber, CultureInfo.InvariantCulture);

    private sealed record Frame(ulong Ip, ulong Sp, string Method);
}
