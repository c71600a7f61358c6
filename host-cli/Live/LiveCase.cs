using System.Diagnostics;
using HangTriage.Capture.Targets;
using HangTriage.Facts;

namespace HangTriage.Cli.Live;

/// <summary>Takes the samples of a live process, one after the other.</summary>
internal static class LiveCase
{
    private const int MostRepeats = 2;

    /// <summary>The way to the samples, for those who do not care where they come from.</summary>
    public static CaptureChoices Of(CaptureChoices choices, LiveChoices live)
        => choices with { LiveSamples = (host, how, progress) => Take(host, live, how, progress) };

    /// <param name="host">The world.</param>
    /// <param name="live">Which process, and how often.</param>
    /// <param name="choices">How to read it.</param>
    /// <param name="progress">Told which sample is taken.</param>
    /// <exception cref="InputException">The process cannot be looked at.</exception>
    /// <exception cref="OperationCanceledException">The host was cancelled.</exception>
    public static IReadOnlyList<ProcessSnapshot> Take(Host host, LiveChoices live, CaptureChoices choices, IProgress<string> progress)
    {
        if (LiveCapture.WhyNot(live.Process) is { } why)
        {
            throw new InputException($"{live.Process}", new InvalidOperationException(why));
        }

        List<SampleProcess> takers = [];
        try
        {
            return Take(host, live, choices, takers, progress);
        }
        finally
        {
            takers.ForEach(taker => taker.Dispose());
        }
    }

    private static List<ProcessSnapshot> Take(Host host, LiveChoices live, CaptureChoices choices, List<SampleProcess> takers, IProgress<string> progress)
    {
        List<Task<ProcessSnapshot>> results = [];
        long start = 0;
        takers.Add(SampleProcess.Start(host, live, choices, isDeep: choices.IsDeep && live.Samples == 1));
        int last = live.Samples - 1;
        for (int i = 0; i <= last; i++)
        {
            progress.Report(i < live.Samples ? $"sample {i + 1} of {live.Samples}" : "one more sample: not all threads stopped in time");
            start = i == 0 ? Stopwatch.GetTimestamp() : start;
            Wait(host, (live.Interval * i) - Stopwatch.GetElapsedTime(start));
            SampleProcess taker = takers[i];
            Task taken = taker.Take();
            results.Add(Task.Run(taker.Result));
            if (i < last)
            {
                // It loads while the sample before is read, so that it is ready when its time comes.
                takers.Add(SampleProcess.Start(host, live, choices, isDeep: choices.IsDeep && i + 1 == last));
            }

            // Two cannot stop it at once.
            taken.Wait(host.Cancellation);
            if (results.Any(result => result.IsFaulted))
            {
                break;
            }

            // The last is the one that is judged. Who asks for one look gets one.
            if (i == last && live.Samples > 1 && last < live.Samples - 1 + MostRepeats && IsTorn(host, results[i]))
            {
                last++;
                takers.Add(SampleProcess.Start(host, live, choices, choices.IsDeep));
            }
        }

        progress.Report("reading");
        return Collect(host, results);
    }

    // Threads ran on while its memory was copied, as they do on a busy machine.
    private static bool IsTorn(Host host, Task<ProcessSnapshot> sample)
    {
        try
        {
            sample.Wait(host.Cancellation);
        }
        catch (AggregateException)
        {
            return false;
        }

        return sample.Result.Gaps.Any(gap => gap.IsPassing);
    }

    /// <summary>What was seen before the process ended is kept.</summary>
    private static List<ProcessSnapshot> Collect(Host host, List<Task<ProcessSnapshot>> results)
    {
        List<ProcessSnapshot> samples = [];
        foreach (Task<ProcessSnapshot> result in results)
        {
            try
            {
                samples.Add(result.GetAwaiter().GetResult());
            }
            catch (InputException e) when (samples.Count > 0)
            {
                host.Error.WriteLine($"triage: {e.Message}; the {(samples.Count == 1 ? "sample" : $"{samples.Count} samples")} before {(samples.Count == 1 ? "is" : "are")} judged");
                break;
            }
        }

        return samples;
    }

    private static void Wait(Host host, TimeSpan time)
    {
        if (time > TimeSpan.Zero && host.Cancellation.WaitHandle.WaitOne(time))
        {
            host.Cancellation.ThrowIfCancellationRequested();
        }
    }
}
