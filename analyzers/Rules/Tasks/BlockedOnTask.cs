using HangTriage.Facts;
using HangTriage.Facts.Calls;
using HangTriage.Rules.Claims;
using HangTriage.Rules.Context;
using HangTriage.Rules.Threads;

namespace HangTriage.Rules.Tasks;

/// <summary>A thread that is blocked on tasks, in the words of a finding.</summary>
internal sealed class BlockedOnTask
{
    private BlockedOnTask(RuleContext context, TaskWaitFacts wait)
    {
        Wait = wait;
        IReadOnlyList<FrameFacts> frames = context.Find(wait.Thread)?.Thread.Stack.Frames ?? [];
        UiThread = context.FindUiThread(wait.Thread);
        Call = CallOf(frames);
        Stack = [.. frames.SkipWhile(frame => !UserCode.IsManaged(frame))];
        Frame = Stack is [FrameFacts innermost, ..] ? innermost : null;
        Handler = UiThread?.Loop is { } loop ? frames.TakeWhile(frame => frame.Method != loop).LastOrDefault(UserCode.IsManaged) ?? Frame : Frame;
        IsUnderMain = UserCode.IsUnderMain(frames);
        IsInMain = IsUnderMain && frames.Count(UserCode.IsManaged) <= Thresholds.FramesOfMain && frames.Where(UserCode.IsManaged).All(frame => frame.Method!.Contains("Main", StringComparison.Ordinal));
    }

    public TaskWaitFacts Wait { get; }

    /// <summary>Null where it is no thread of a user interface or of a context like it.</summary>
    public UiThreadFacts? UiThread { get; }

    /// <summary>The call that blocks: "Task.Result".</summary>
    public string Call { get; }

    /// <summary>The program's frame that makes it; null where there is none.</summary>
    public FrameFacts? Frame { get; }

    /// <summary>What the message loop called and did not get back from; the same as <see cref="Frame"/> without a loop.</summary>
    public FrameFacts? Handler { get; }

    /// <summary>The thread runs Main.</summary>
    public bool IsUnderMain { get; }

    /// <summary>Main itself makes the call.</summary>
    public bool IsInMain { get; }

    /// <summary>The program's part of the stack, from the call that blocks on: the part below is the same in all such waits.</summary>
    public IReadOnlyList<FrameFacts> Stack { get; }

    /// <summary>"is blocked in Task.Result inside Window.Button_Click".</summary>
    public string Doing
    {
        get
        {
            string inside = Frame?.Method is { } method ? $" inside {MethodText.Short(method)}" : string.Empty;
            string handler = Handler != Frame && Handler?.Method is { } outer ? $", called by {MethodText.Short(outer)}" : string.Empty;
            return $"is blocked in {Call}{inside}{handler}";
        }
    }

    public static IEnumerable<BlockedOnTask> All(RuleContext context)
        => context.Tasks.Waits.Select(wait => new BlockedOnTask(context, wait));

    /// <summary>That it blocks, and where.</summary>
    public IEnumerable<Evidence> Evidence(RuleContext context, string source = "stack", Trust trust = Trust.Derived, Address? task = null)
        =>
        [
            new($"{Parties.Label(context, Wait.Thread)} {Doing}", source, trust)
            {
                Thread = Wait.Thread,
                Frame = Frame is null ? null : Claim.Of(Frame),
                Address = task,
            },
        ];

    /// <summary>That the thread alone runs what is posted to its context; null where it has none.</summary>
    public Evidence? EvidenceOfUi(RuleContext context)
        => UiThread is not { } ui ? null
            : new Evidence($"{Parties.Label(context, Wait.Thread)} alone runs what is posted to its {ui.ContextType}: {ui.Source}", "synchronization context", ui.Trust)
            {
                Thread = Wait.Thread,
                Address = ui.Context,
            };

    /// <summary>"the UI thread, thread 3 (0x12)", or "thread 3 (0x12), which runs App.UiLoop" for a context that is not known.</summary>
    public Claim Who(RuleContext context)
    {
        Claim label = Parties.Label(context, Wait.Thread);
        return UiThread switch
        {
            null => label,
            { ContextType: { } type } when UserCode.IsOfFramework(type) => (Claim)$"the UI thread, {label},",
            { ContextType: { } type } => (Claim)$"{label}, the thread of {MethodText.Short(type)},",
        };
    }

    private static string CallOf(IReadOnlyList<FrameFacts> frames)
        => frames.TakeWhile(frame => !UserCode.IsManaged(frame))
            .Select(frame => Frameworks.IsOfBaseLibrary(frame.Method) ? TaskCalls.Find(frame.Method)?.Title : null)
            .LastOrDefault(name => name is not null) ?? "Task.Wait";
}
