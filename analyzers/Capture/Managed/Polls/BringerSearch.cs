using HangTriage.Capture.Managed.Code;
using HangTriage.Capture.Managed.Sources;
using HangTriage.Capture.Managed.Tasks;
using HangTriage.Facts;
using HangTriage.Facts.Calls;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Polls;

/// <summary>Finds out who can still come to a method that changes what a loop looks at.</summary>
/// <param name="runtime">The runtime.</param>
/// <param name="threads">The threads that live.</param>
/// <param name="walked">Their frames.</param>
/// <param name="modules">The program's modules, all opened.</param>
/// <param name="graph">Every call in them.</param>
/// <param name="polls">Every loop that waits.</param>
internal sealed class BringerSearch(
    ClrRuntime runtime, IReadOnlyList<ClrThread> threads, ThreadFrames walked, IlModules modules, CallGraph graph, IReadOnlyList<Poll> polls)
{
    private const int MostWriters = 16;
    private const string Invoke = "Invoke";

    private readonly PollHolders _keepers = new(threads, walked, modules);

    /// <param name="poll">The loop.</param>
    /// <param name="flows">The suspended async methods.</param>
    /// <param name="delegates">The methods of delegates, each with the type of the delegate.</param>
    public PollBringers Of(Poll poll, SuspendedFlows flows, IReadOnlyList<(string Method, string? Type)> delegates)
    {
        string[] fields = [.. poll.Changing.Select(field => field.FullName)];
        string[] writers = [.. fields.SelectMany(graph.WritersOf).Distinct(StringComparer.Ordinal).Where(writer => !WaitsFirst(poll, writer, fields))];
        HashSet<string> leading = graph.LeadingTo(writers);
        string? type = delegates.FirstOrDefault(found => leading.Contains(found.Method) && CallbackTypes.Contains(found.Type)).Type;
        return new PollBringers
        {
            Writers = [.. writers.Take(MostWriters)],
            Threads = [.. threads.Where(thread => !WaitsAlike(poll, thread) && CanCome(thread, leading, fields)).Select(thread => new ThreadId(thread.OSThreadId))],
            IsByFlow = flows.CanCome(poll, leading, fields),
            IsByDelegate = delegates.Any(found => leading.Contains(found.Method)),
            IsByCallback = type is not null,
            Holders = (poll.Content.Traits & PollTraits.TakesLock) != 0 && _keepers.Of(writers, fields) is { Count: > 0 } holders ? holders : null,
        };
    }

    /// <summary>What lies under Main, or is what Main blocks on, runs once.</summary>
    /// <param name="flows">The suspended async methods that a thread blocks on.</param>
    /// <param name="delegates">The methods of delegates, each with the type of the delegate.</param>
    public void Begin(IEnumerable<string> flows, IReadOnlyList<(string Method, string? Type)> delegates)
    {
        graph.Made.UnionWith(delegates.Select(found => found.Method));
        foreach (string method in flows.Concat(threads.Where(IsMain).SelectMany(walked.Of).Select(NameOf).OfType<string>()))
        {
            graph.Once.Add(method);
        }
    }

    private bool IsMain(ClrThread thread)
        => walked.Of(thread).LastOrDefault(frame => modules.Of(frame.Method) is not null)?.Method?.Name is { } name && CallGraph.IsMain(name);

    private string? NameOf(ClrStackFrame frame) => modules.Of(frame.Method)?.Names.Member(frame.Method!.MetadataToken)?.FullName;

    // Whoever goes round the same loop waits for the same.
    private bool WaitsAlike(Poll poll, ClrThread thread)
        => thread == poll.Thread || polls.Any(other => other.Thread == thread && other.Module == poll.Module && other.Method == poll.Method);

    // It writes in the loop, or behind it: who comes to that method anew waits there before it changes anything.
    private static bool WaitsFirst(Poll poll, string writer, string[] fields)
    {
        if (poll.Module.Names.Member(poll.Method)?.FullName != writer)
        {
            return false;
        }

        IReadOnlyList<IlInstruction> body = poll.Module.Body(poll.Method);
        IlInstruction[] touches = [.. body.Where(instruction => (instruction.WritesField || instruction.ReadsField) && fields.Contains(poll.Module.Names.Member(instruction.Operand)?.FullName))];
        return IlLoops.WaitLoops(body).FirstOrDefault(loop => touches.Any(touch => IsIn(loop, touch.Offset))) is { End: > 0 } wait
            && touches.Where(touch => touch.WritesField).All(touch => touch.Offset >= wait.Start)
            && !body.Any(branch => branch.IsBranch && branch.Offset < wait.Start && branch.Operand >= wait.End);
    }

    private static bool IsIn((int Start, int End) loop, int offset) => offset >= loop.Start && offset < loop.End;

    /// <summary>
    /// The thread can come to one of these methods, or to an instruction of its own for which that is so, from where it is in the frames of
    /// the program's methods.
    /// </summary>
    /// <param name="thread">The thread.</param>
    /// <param name="leading">The methods.</param>
    /// <param name="isOne">Whether an instruction, of a module's method, is one.</param>
    public bool CanCome(ClrThread thread, HashSet<string> leading, Func<IlModule, int, IlInstruction, bool> isOne)
        => CanCome(thread, isOne, (module, frame, inner) => (leading, Left(module, frame, inner)));

    /// <summary>The same, where it can get no further than some instructions, but in what it has come to already.</summary>
    /// <param name="thread">The thread.</param>
    /// <param name="leading">The methods that lead there from their beginning.</param>
    /// <param name="inside">Those too that do not: in optimised code the thread can be in one that has no frame of its own.</param>
    /// <param name="isOne">Whether an instruction, of a module's method, is one.</param>
    /// <param name="entries">It can get no further than these.</param>
    public bool CanCome(
        ClrThread thread, HashSet<string> leading, HashSet<string> inside, Func<IlModule, int, IlInstruction, bool> isOne,
        EntryCalls entries)
        => CanCome(thread, isOne, (module, frame, inner) =>
        {
            int method = frame.Method!.MetadataToken;
            bool mayBeInside = IsInInlined(module, frame, inner, call => graph.Leads(module, method, call, inside));
            return (mayBeInside ? inside : leading, mayBeInside ? Left(module, frame, inner) : Left(module, frame, inner, entries));
        });

    /// <summary>The same, but of Main only what it does in the loop that it is in: behind that the program ends.</summary>
    public bool CanComeInLoops(ClrThread thread, HashSet<string> leading, Func<IlModule, int, IlInstruction, bool> isOne)
        => CanCome(thread, isOne, (module, frame, inner)
            => (leading, frame.Method!.Name is { } name && CallGraph.IsMain(name)
                ? InLoop(module, frame, inner) : Left(module, frame, inner)));

    private bool CanCome(
        ClrThread thread, Func<IlModule, int, IlInstruction, bool> isOne,
        Func<IlModule, ClrStackFrame, ClrStackFrame?, (HashSet<string> Leading, IEnumerable<IlInstruction> Left)> whatOf)
    {
        ClrStackFrame? inner = null;
        foreach (ClrStackFrame frame in walked.Of(thread)
            .Where(frame => frame is { Kind: ClrStackFrameKind.ManagedMethod, Method: not null } && !ManagedStack.IsStub(frame.Method)))
        {
            if (modules.Of(frame.Method) is { } module)
            {
                (HashSet<string> leading, IEnumerable<IlInstruction> left) = whatOf(module, frame, inner);
                if (left.Any(instruction => graph.Leads(module, frame.Method!.MetadataToken, instruction, leading)
                    || isOne(module, frame.Method!.MetadataToken, instruction)))
                {
                    return true;
                }
            }

            inner = frame;
        }

        return false;
    }

    private static IEnumerable<IlInstruction> InLoop(IlModule module, ClrStackFrame frame, ClrStackFrame? inner)
    {
        IReadOnlyList<IlInstruction> body = module.Body(frame.Method!.MetadataToken);
        return PlaceIn(module, frame, inner) is not { } at ? body : IlLoops.AllAround(body, at) is { } loop ? IlLoops.In(body, loop) : [];
    }

    private static IEnumerable<IlInstruction> Left(IlModule module, ClrStackFrame frame, ClrStackFrame? inner, EntryCalls? entries = null)
    {
        int method = frame.Method!.MetadataToken;
        return PlaceIn(module, frame, inner) is not { } at ? module.Body(method)
            : entries is null ? IlReach.From(module, method, at)
            : inner is not null && entries.IsAt(module, method, at) ? IlReach.Failing(module, method, at - 1, entries.Contains)
            : IlReach.From(module, method, at, entries.Contains);
    }

    // What it has called next is not what it calls there, or that may lead: the code of one that leads is part of its own then.
    private static bool IsInInlined(IlModule module, ClrStackFrame frame, ClrStackFrame? inner, Func<IlInstruction, bool> leads)
        => SourceLines.IlOffset(frame.Method!, inner is null ? frame.InstructionPointer : frame.InstructionPointer - 1) is not { } at
            || module.Body(frame.Method!.MetadataToken)
                .Where(instruction => instruction.Offset >= at && instruction.IsCall)
                .Select(call => (IsNext: inner is not null && IsCallOf(module, call, inner), Leads: leads(call)))
                .FirstOrDefault(call => call.IsNext || call.Leads) is { IsNext: false } found && (found.Leads || inner is not null);

    private static bool IsCallOf(IlModule module, IlInstruction call, ClrStackFrame inner)
        => module.Names.Member(call.Operand)?.Name is { } name
            && (name == Invoke || name == CallNames.WithoutStub(inner.Method!.Name ?? string.Empty));

    /// <summary>Where the frame's method continues; null where that is not known.</summary>
    /// <param name="module">Its module.</param>
    /// <param name="frame">The frame.</param>
    /// <param name="inner">What it has called; null for the innermost.</param>
    public static int? PlaceIn(IlModule module, ClrStackFrame frame, ClrStackFrame? inner)
        => SourceLines.IlOffset(frame.Method!, inner is null ? frame.InstructionPointer : frame.InstructionPointer - 1) is not { } at ? null
            : inner is null ? at
            : Behind(module, module.Body(frame.Method!.MetadataToken), at, inner);

    private bool CanCome(ClrThread thread, HashSet<string> leading, string[] fields)
        => CanCome(thread, leading, (module, _, instruction) => Writes(module, instruction, fields));

    /// <summary>The instruction writes one of the fields, or hands out where it is.</summary>
    public static bool Writes(IlModule module, IlInstruction instruction, string[] fields)
        => instruction.WritesField && module.Names.Member(instruction.Operand) is { } written && fields.Contains(written.FullName);

    // The call that the thread is in is made; what comes behind it is not. Of a statement with several calls it is the one of that name.
    private static int Behind(IlModule module, IReadOnlyList<IlInstruction> body, int at, ClrStackFrame inner)
        => body.FirstOrDefault(instruction => instruction.Offset >= at && instruction.IsCall && IsCallOf(module, instruction, inner))
            is { End: > 0 and int end } ? end : at;

    /// <summary>The program's method that a delegate stands for; null for others.</summary>
    public string? NameOf(ulong found)
        => DelegateMethod.Of(runtime.Heap.GetObject(found)) is { } method
            ? modules.Of(method)?.Names.Member(method.MetadataToken)?.FullName
            : null;

    /// <summary>The methods of the delegates, those that are the program's own and are not running: what runs is seen.</summary>
    /// <param name="delegates">The delegates.</param>
    /// <param name="suspended">The async methods that are suspended.</param>
    public IReadOnlyList<(string Method, string? Type)> MethodsOf(IEnumerable<ulong> delegates, IEnumerable<string> suspended)
    {
        HashSet<string> running = [.. suspended, .. threads.SelectMany(walked.Of).Select(NameOf).OfType<string>()];
        HashSet<(string, string?)> methods = [];
        foreach (ulong address in delegates)
        {
            if (runtime.Heap.GetObject(address) is { IsDelegate: true } found
                && CallbackTypes.ContainsWork(found.Type?.Name)
                && DelegateMethod.Of(found) is { } method
                && modules.Of(method)?.Names.Member(method.MetadataToken) is { } member && !running.Contains(member.FullName))
            {
                methods.Add((member.FullName, found.Type?.Name));
            }
        }

        return [.. methods];
    }
}
