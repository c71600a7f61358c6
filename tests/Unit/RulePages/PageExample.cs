using System.Globalization;
using System.Text.RegularExpressions;
using HangTriage.Facts;
using HangTriage.Rules;
using HangTriage.Rules.Observing;
using HangTriage.Tests.Support.Facts;

namespace HangTriage.Tests.Unit.RulePages;

/// <summary>One example of a rule's page. The facts are lines of a small language; what it does not know is an error.</summary>
public sealed partial record PageExample(IReadOnlyList<string> Facts, IReadOnlyList<string> Verdict)
{
    public Verdict Judge() => Triage.Judge(BuildCase()).Verdict;

    public Case BuildCase() => WithTrace(BuildEarlier() is { } earlier ? Case.Of([earlier, Build()]) : Case.Of(Build()));

    public ProcessSnapshot Build() => Build(Begin(), Facts.Skip(1).Where(line => !EarlierLine().IsMatch(line) && !IsOfTrace(line)));

    /// <summary>Lines as "10 s earlier: thread ..." make a capture of their own; null where there is none.</summary>
    private ProcessSnapshot? BuildEarlier()
    {
        Match[] lines = [.. Facts.Skip(1).Select(line => EarlierLine().Match(line)).Where(match => match.Success)];
        return lines.Length == 0
            ? null
            : Build(Begin().Earlier(Seconds(lines[0], "before")), lines.Select(line => line.Groups["line"].Value));
    }

    private SnapshotBuilder Begin() => Facts[0] switch
    {
        "windows" => SnapshotBuilder.Windows(),
        "linux" => SnapshotBuilder.Linux(),
        string other => throw new FormatException($"an example starts with windows or linux, not {other}"),
    };

    private static ProcessSnapshot Build(SnapshotBuilder builder, IEnumerable<string> lines)
    {
        foreach (string line in lines)
        {
            Apply(builder, line);
        }

        return builder.Build();
    }

    private static void Apply(SnapshotBuilder builder, string line)
    {
        if (ThreadLine().Match(line) is { Success: true } thread)
        {
            builder.Thread(Id(thread, "id"), Options(thread), thread.Groups["frames"].Value.Split(" < "));
        }
        else if (LockLine().Match(line) is { Success: true } held)
        {
            builder.Lock(Lock(held), Id(held, "owner"), held.Groups["name"].Value);
        }
        else if (OrphanLine().Match(line) is { Success: true } orphan)
        {
            builder.OrphanedLock(Lock(orphan), orphan.Groups["name"].Value);
        }
        else if (ReadLine().Match(line) is { Success: true } read)
        {
            builder.ReadLock(Lock(read), read.Groups["name"].Value, [.. read.Groups["reader"].Captures.Select(reader => Convert.ToUInt32(reader.Value, 16))]);
        }
        else if (SemaphoreLine().Match(line) is { Success: true } semaphore)
        {
            builder.Semaphore(Lock(semaphore), semaphore.Groups["name"].Value, Number(semaphore, "left"), Number(semaphore, "most"));
        }
        else if (PoolLine().Match(line) is { Success: true } pool)
        {
            builder.Pool(
                new PoolWorkers(Number(pool, "busy"), Number(pool, "all"), Number(pool, "goal"), Number(pool, "least"), Number(pool, "most")),
                Number(pool, "queued"));
        }
        else if (OwnerlessLine().Match(line) is { Success: true } ownerless)
        {
            builder.LockWithoutOwner(Lock(ownerless));
        }
        else if (WaitLine().Match(line) is { Success: true } wait)
        {
            LockId id = Lock(wait);
            WaitKind kind = id.Kind == LockKind.SemaphoreSlim ? WaitKind.Signal : WaitKind.Acquire;
            builder.Waits(Id(wait, "id"), id, wait.Groups["timeout"].Success ? Seconds(wait, "timeout") : null, kind);
        }
        else if (JoinLine().Match(line) is { Success: true } join)
        {
            builder.Joins(Id(join, "id"), Id(join, "target"));
        }
        else if (TaskLine().Match(line) is { Success: true } task)
        {
            builder.Task(Id(task, "address"), KindOfTask(task), task.Groups["method"].Success ? task.Groups["method"].Value : null);
        }
        else if (NeedLine().Match(line) is { Success: true } need)
        {
            Need(builder, need);
        }
        else if (TaskWaitLine().Match(line) is { Success: true } blocked)
        {
            builder.WaitsForTask(Id(blocked, "id"), Id(blocked, "address"), blocked.Groups["timeout"].Success ? Seconds(blocked, "timeout") : null);
        }
        else if (LoopThreadLine().Match(line) is { Success: true } loop)
        {
            builder.UiThread(Id(loop, "id"), loop.Groups["type"].Value, loop.Groups["loop"].Value);
        }
        else if (LoaderLine().Match(line) is { Success: true } loader)
        {
            builder.LoaderLock(Id(loader, "owner"));
        }
        else if (TableLine().Match(line) is { Success: true } table)
        {
            builder.Tables.Add(
                Id(table, "address"),
                table.Groups["type"].Value,
                table.Groups["fault"].Success ? Enum.Parse<CollectionFaultKind>(table.Groups["fault"].Value) : null,
                table.Groups["assumed"].Success ? Trust.Assumed : Trust.Read);
        }
        else if (TableUseLine().Match(line) is { Success: true } use)
        {
            string how = use.Groups["how"].Value;
            builder.Tables.Use(Id(use, "address"), Id(use, "id"), how != "refers to", how == "changes", use.Groups["blocked"].Success);
        }
        else if (TableErrorsLine().Match(line) is { Success: true } errors)
        {
            builder.Tables.Errors(int.Parse(errors.Groups["count"].Value, CultureInfo.InvariantCulture));
        }
        else if (NoManagedLine().Match(line) is { Success: true } none)
        {
            builder.ManagedUnknown(none.Groups["why"].Value);
        }
        else if (!ApplyOutside(builder, line) && !ApplyFlow(builder, line) && !ApplyReach(builder, line) && !ApplyStall(builder, line) && !ApplyPoll(builder, line))
        {
            throw new FormatException($"not a line of facts: {line}");
        }
    }

    private static ThreadOptions Options(Match thread)
    {
        ThreadOptions options = new() { Name = thread.Groups["name"].Value, Loop = Loop(thread) };
        return thread.Groups["unknown"].Success ? options with { Cpu = null, Life = null }
            : thread.Groups["cpu"].Success ? options with { Cpu = new CpuTime(Seconds(thread, "cpu"), TimeSpan.Zero), Life = Seconds(thread, "life") }
            : options;
    }

    private static LockId Lock(Match match)
    {
        LockKind kind = match.Groups["kind"].Value switch
        {
            "monitor" => LockKind.Monitor,
            "Lock" => LockKind.ManagedLock,
            "reader/writer lock" => LockKind.ReaderWriterLock,
            "semaphore" => LockKind.SemaphoreSlim,
            "section" => LockKind.CriticalSection,
            "SRW lock" => LockKind.SrwLock,
            "mutex" => LockKind.Mutex,
            string other => throw new FormatException($"not a kind of lock: {other}"),
        };
        return new LockId(kind, new Address(Id(match, "address")));
    }

    private static TaskKind KindOfTask(Match match) => match.Groups["kind"].Value switch
    {
        "async" => TaskKind.AsyncMethod,
        "delegate" => TaskKind.Delegate,
        "promise" => TaskKind.Promise,
        _ => TaskKind.Delay,
    };

    private static void Need(SnapshotBuilder builder, Match need)
    {
        uint task = Id(need, "address");
        uint? thread = need.Groups["thread"].Success ? Id(need, "thread") : null;
        _ = need.Groups switch
        {
            { } found when found["other"].Success => builder.Needs(task, TaskNeedKind.Task, Id(need, "other")),
            { } found when found["runs"].Success => builder.Needs(task, TaskNeedKind.Thread, thread: thread),
            { } found when found["thread"].Success => builder.Needs(task, TaskNeedKind.Context, thread: thread),
            { } found when found["timer"].Success => builder.Needs(task, TaskNeedKind.Timer, timer: Seconds(need, "timer")),
            { } found when found["queued"].Success => builder.Needs(task, TaskNeedKind.PoolQueue),
            { } found when found["nobody"].Success => builder.Needs(task, TaskNeedKind.Nobody),
            _ => builder.Needs(task, TaskNeedKind.Unknown),
        };
    }

    // Around the innermost frame outside the system's layers.
    private static Known<LoopFacts>? Loop(Match thread)
        => thread.Groups["loop"].Success
            ? Known.Derived(new LoopFacts(
                new Address(0x7ffd00010000),
                new Address(0x7ffd00010020),
                int.Parse(thread.Groups["loop"].Value, CultureInfo.InvariantCulture),
                thread.Groups["pause"].Success,
                thread.Groups["frames"].Value.Split(" < ").TakeWhile(frame => SystemFrame().IsMatch(frame)).Count()))
            : null;

    private static uint Number(Match match, string group) => uint.Parse(match.Groups[group].Value, CultureInfo.InvariantCulture);

    private static uint Id(Match match, string group) => Convert.ToUInt32(match.Groups[group].Value, 16);

    private static TimeSpan Seconds(Match match, string group)
        => TimeSpan.FromSeconds(double.Parse(match.Groups[group].Value, CultureInfo.InvariantCulture));

    [GeneratedRegex("""^thread (?<id>0x\w+)(?: "(?<name>[^"]*)")?(?: cpu (?:(?<unknown>unknown)|(?<cpu>[\d.]+) s of (?<life>[\d.]+) s))?(?: loop (?<loop>\d+) instructions(?<pause> with pause)?)?: (?<frames>.+)$""")]
    private static partial Regex ThreadLine();

    [GeneratedRegex("""^(?<kind>monitor|Lock|reader/writer lock|section|SRW lock|mutex) (?<address>0x\w+) (?<name>\S+) held by (?<owner>0x\w+)$""")]
    private static partial Regex LockLine();

    [GeneratedRegex("""^(?<kind>monitor|Lock|reader/writer lock) (?<address>0x\w+) (?<name>\S+) held by a thread that has ended$""")]
    private static partial Regex OrphanLine();

    [GeneratedRegex("""^(?<kind>reader/writer lock) (?<address>0x\w+) (?<name>\S+) read by(?: (?<reader>0x\w+))+$""")]
    private static partial Regex ReadLine();

    [GeneratedRegex("""^(?<kind>semaphore) (?<address>0x\w+) (?<name>\S+) with (?<left>\d+) of (?<most>\d+) left$""")]
    private static partial Regex SemaphoreLine();

    [GeneratedRegex("""^pool (?<busy>\d+) of (?<all>\d+) workers busy, goal (?<goal>\d+), (?<least>\d+) to (?<most>\d+) allowed, (?<queued>\d+) items queued$""")]
    private static partial Regex PoolLine();

    [GeneratedRegex("""^(?<before>[\d.]+) s earlier: (?<line>.+)$""")]
    private static partial Regex EarlierLine();

    [GeneratedRegex("^(ntdll|KERNELBASE|KERNEL32|win32u)!", RegexOptions.IgnoreCase)]
    private static partial Regex SystemFrame();

    [GeneratedRegex("""^(?<kind>SRW lock) (?<address>0x\w+) held by nobody knows whom$""")]
    private static partial Regex OwnerlessLine();

    [GeneratedRegex("""^(?<id>0x\w+) waits for (?<kind>monitor|Lock|reader/writer lock|semaphore|section|SRW lock|mutex) (?<address>0x\w+)(?: for (?<timeout>[\d.]+) s)?$""")]
    private static partial Regex WaitLine();

    [GeneratedRegex("""^(?<id>0x\w+) waits for the end of (?<target>0x\w+)$""")]
    private static partial Regex JoinLine();

    [GeneratedRegex("""^task (?<address>0x\w+) (?<kind>async|delegate|promise|delay)(?: (?<method>\S+))?$""")]
    private static partial Regex TaskLine();

    [GeneratedRegex("""^task (?<address>0x\w+) (?:needs (?:task (?<other>0x\w+)|the context of (?<thread>0x\w+)|a timer of (?<timer>[\d.]+) s|(?<nobody>what nobody has)|what is not known)|(?<runs>runs) on (?<thread>0x\w+)|is (?<queued>queued) for the pool)$""")]
    private static partial Regex NeedLine();

    [GeneratedRegex("""^(?<id>0x\w+) waits for task (?<address>0x\w+)(?: for (?<timeout>[\d.]+) s)?$""")]
    private static partial Regex TaskWaitLine();

    [GeneratedRegex("""^(?<id>0x\w+) runs (?<loop>\S+) of (?<type>\S+)$""")]
    private static partial Regex LoopThreadLine();

    [GeneratedRegex("""^loader lock held by (?<owner>0x\w+)$""")]
    private static partial Regex LoaderLine();

    [GeneratedRegex("""^table (?<address>0x\w+) (?<type>\S+)(?<assumed> of an assumed layout)?(?: with (?<fault>\w+)| without a fault)$""")]
    private static partial Regex TableLine();

    [GeneratedRegex("""^(?<id>0x\w+) (?<how>is inside|changes|refers to) table (?<address>0x\w+)(?<blocked>, and waits)?$""")]
    private static partial Regex TableUseLine();

    [GeneratedRegex("""^(?<count>\d+) exceptions of concurrent use$""")]
    private static partial Regex TableErrorsLine();

    [GeneratedRegex("""^no managed state: (?<why>.+)$""")]
    private static partial Regex NoManagedLine();
}
