using System.Globalization;

namespace HangTriage.Tests.Support.Waiting;

/// <summary>
/// What a process and those that it has started do, by the kernel's own account (proc(5)): they use a processor, wait for one,
/// or are in a call that waits for a disk. A process that does none of it for minutes is not slow: it stands still.
/// </summary>
public sealed class TreeActivity
{
    private const long TicksOfTime = 100;

    private readonly Dictionary<(int Process, string Thread), (long Used, long Waited)> _last = [];
    private readonly Func<IEnumerable<int>> _roots;

    /// <summary>Of these processes, asked for at each look, and of those below them.</summary>
    public TreeActivity(Func<IEnumerable<int>> roots)
    {
        _roots = roots;
        _ = Look();
    }

    /// <summary>The processor time that was used since the first look.</summary>
    public TimeSpan Used { get; private set; }

    /// <summary>What was done since the look before: the time of all threads on a processor, waiting for one, or in the kernel's hands.</summary>
    public TimeSpan Look()
    {
        TimeSpan done = TimeSpan.Zero;
        bool isFirst = _last.Count == 0;
        foreach (int process in Below(_roots()))
        {
            foreach (string thread in Proc.Threads(process))
            {
                if (Read(thread) is not { } now)
                {
                    continue;
                }

                (long used, long waited) = _last.GetValueOrDefault((process, thread));
                _last[(process, thread)] = (now.Used, now.Waited);
                if (!isFirst)
                {
                    Used += new TimeSpan((now.Used - used) / TicksOfTime);
                    done += new TimeSpan((now.Used - used + now.Waited - waited) / TicksOfTime) + (now.IsInKernel ? TimeSpan.FromSeconds(1) : TimeSpan.Zero);
                }
            }
        }

        return done;
    }

    private static List<int> Below(IEnumerable<int> roots)
    {
        List<int> all = [.. roots.Distinct()];
        HashSet<int> met = [.. all];
        for (int i = 0; i < all.Count; i++)
        {
            all.AddRange(Proc.Children(all[i]).Where(met.Add));
        }

        return all;
    }

    // schedstat: nanoseconds on a processor, and waiting for one.
    private static (long Used, long Waited, bool IsInKernel)? Read(string thread)
    {
        string[] fields = Proc.Text($"{thread}/schedstat").Split(' ');
        return fields.Length < 2
            ? null
            : (long.Parse(fields[0], CultureInfo.InvariantCulture), long.Parse(fields[1], CultureInfo.InvariantCulture),
                Proc.StateOf(thread) == 'D');
    }
}
