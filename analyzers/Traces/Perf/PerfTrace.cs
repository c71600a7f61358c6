using System.Text;
using HangTriage.Facts;
using HangTriage.Traces.Summary;
using HangTriage.Traces.Timeline;

namespace HangTriage.Traces.Perf;

/// <summary>Reads the text of <c>perf script</c>: switches, wakings, and the begin and end of threads.</summary>
internal sealed class PerfTrace
{
    /// <summary>Characters of a line; the rest of a longer one is passed over.</summary>
    private const int LongestLine = 4096;
    private const int LinesPerCheck = 4096;

    private const string YieldEvent = "syscalls:sys_enter_sched_yield";
    private const string Arrow = " ==> next_comm=";

    private static readonly Dictionary<char, string> s_reasons = new()
    {
        ['R'] = "Preempted", ['S'] = "Interruptible", ['D'] = "Uninterruptible", ['T'] = "Stopped", ['t'] = "Traced", ['X'] = "Exited", ['Z'] = "Exited", ['P'] = "Parked", ['I'] = "Idle",
    };

    private readonly TraceBuilder _builder;
    private readonly TraceContext _context;
    private int _processors;
    private long _unread;
    private bool _hasPids;

    private PerfTrace(TraceContext context)
    {
        _context = context;
        _builder = new TraceBuilder(context.Limits);
    }

    /// <exception cref="TraceOpenException">No line is one of perf's.</exception>
    /// <exception cref="OperationCanceledException">The context was cancelled.</exception>
    public static TraceFacts Read(Stream text, TraceContext context)
    {
        PerfTrace trace = new(context);
        trace.ReadLines(text);
        trace._builder.Finish();
        return trace._builder.Scheduler.Switches == 0
            ? throw new TraceOpenException("a text without lines of the event sched:sched_switch as 'perf script' writes them")
            : new TraceSummary(trace._builder, context.Tags)
            {
                Kind = TraceKind.Perf,
                Start = Known.Unknown<DateTimeOffset>("start of the trace", "perf's text counts from the machine's start"),
                Processors = Known.Derived(trace._processors),
                LostEvents = Known.Unknown<long>("lost events", "perf's text does not tell them"),
                LostBuffers = Known.Unknown<long>("lost buffers", "perf's text does not tell them"),
                Gaps = [.. trace.Gaps()],
            }.Facts();
    }

    private IEnumerable<Gap> Gaps()
    {
        if (_unread > 0)
        {
            yield return new Gap("lines", $"{_unread} lines are none of perf's, or are damaged, and are left out");
        }

        if (!_hasPids)
        {
            yield return new Gap("processes of threads", "the lines name threads alone: write them with 'perf script --ns -F comm,pid,tid,cpu,time,event,trace'");
        }
    }

    private void ReadLines(Stream text)
    {
        using StreamReader reader = new(text, Encoding.UTF8, detectEncodingFromByteOrderMarks: false, leaveOpen: true);
        char[] line = new char[LongestLine];
        int length = 0;
        long count = 0;
        Span<char> chunk = new char[64 * 1024];
        for (int read = reader.Read(chunk); read > 0; read = reader.Read(chunk))
        {
            foreach (char letter in chunk[..read])
            {
                if (letter != '\n')
                {
                    length += length < LongestLine ? 1 : 0;
                    line[length - 1] = letter;
                    continue;
                }

                Line(line.AsSpan(0, length));
                length = 0;
                if (++count % LinesPerCheck == 0)
                {
                    _context.Cancellation.ThrowIfCancellationRequested();
                    _context.Progress?.Report($"reading the trace: {count} lines");
                }
            }
        }

        Line(line.AsSpan(0, length));
    }

    private void Line(ReadOnlySpan<char> text)
    {
        ReadOnlySpan<char> line = text.TrimEnd();
        if (line.IsEmpty || line[0] == '#')
        {
            return;
        }

        if (!PerfLine.TryParse(line, out PerfLine parsed))
        {
            _unread++;
            return;
        }

        _builder.Advance(new TimeSpan(parsed.Time));
        _processors = Math.Max(_processors, parsed.Processor + 1);
        Meet(parsed);
        bool isDecoded = parsed.Event is "sched:sched_switch" or "sched:sched_wakeup" or "sched:sched_wakeup_new" or "sched:sched_process_exit" or YieldEvent;
        _builder.Events.Of(parsed.Event.ToString(), isDecoded).Count++;
        bool isRead = parsed.Event switch
        {
            "sched:sched_switch" => Switch(parsed),
            YieldEvent => Yield(parsed),
            "sched:sched_wakeup" or "sched:sched_wakeup_new" => Wakeup(parsed),
            _ => true,
        };
        _unread += isRead ? 0 : 1;
    }

    /// <summary>A line names the thread that ran, and perhaps its process: the main thread has its process's id and name.</summary>
    private void Meet(in PerfLine line)
    {
        if (line.Tid is not { } tid || tid == 0 || line.Pid is not { } pid)
        {
            return;
        }

        _hasPids = true;
        if (_builder.Threads.Get(tid) is { Process: null } thread)
        {
            thread.Process = _builder.Processes.Get(pid);
            thread.Name = line.Comm.ToString();
        }

        if (tid == pid && _builder.Processes.Get(pid) is { Name: null } process)
        {
            process.Name = line.Comm.ToString();
        }
    }

    private bool Switch(in PerfLine line)
    {
        int arrow = line.Fields.LastIndexOf(Arrow);
        if (arrow < 0)
        {
            return false;
        }

        ReadOnlySpan<char> before = line.Fields[..arrow];
        ReadOnlySpan<char> after = line.Fields[arrow..];
        ReadOnlySpan<char> state = PerfFields.Text(before, " prev_state=");
        if (!PerfFields.TryNumber(before, " prev_pid=", out uint old) || !PerfFields.TryNumber(after, " next_pid=", out uint next)
            || !PerfFields.TryNumber(after, " next_prio=", out uint priority) || !PerfFields.TryNumber(before, " prev_prio=", out uint oldPriority) || state.IsEmpty)
        {
            return false;
        }

        // It runs for the last time.
        if (state[0] is 'X' or 'Z' && old != 0 && _builder.Threads.Live(old, _builder.Now) is { } ends)
        {
            ends.IsEndSeen = true;
        }

        _builder.Scheduler.Move(
            new Switch(line.Stamp, line.Processor, next, old, (int)priority, null, s_reasons.GetValueOrDefault(state[0], "state of an unknown letter"), state[0] == 'R') { OldPriority = (int)oldPriority },
            _builder.Now);
        return true;
    }

    // A switch in state R does not tell a yield from a slice that is used up, and a yield to nobody makes no switch.
    private bool Yield(in PerfLine line)
    {
        if (line.Tid is { } tid && tid != 0 && _builder.Threads.Get(tid) is { } thread)
        {
            ReasonCount count = thread.For("sched_yield");
            count.Count++;
            count.IsReady = true;
        }

        return true;
    }

    private bool Wakeup(in PerfLine line)
    {
        if (!PerfFields.TryNumber(line.Fields, " pid=", out uint tid))
        {
            return false;
        }

        _builder.Ready(tid, line.Processor, line.Tid, isDeferred: false, isPagedOut: null, line.Stamp);
        return true;
    }
}
