using System.Text.Json.Serialization;

namespace HangTriage.Facts;

/// <summary>
/// Who can still end a wait: what leads, over the heap, to the object that is waited for. Whoever waits itself counts as able to
/// only where something else can end its own wait.
/// </summary>
public sealed record WaitReach
{
    /// <summary>What can end the wait; null where nothing can. One of several, where several can.</summary>
    public FlowRoot? By { get; init; }

    /// <summary>
    /// For <see cref="FlowRoot.Thread"/>: the thread. For <see cref="FlowRoot.InputOutput"/>: one that waits for an answer from outside,
    /// where nothing but such threads can end the wait.
    /// </summary>
    public ThreadId? Thread { get; init; }

    /// <summary>Who surely ends the wait, once, or one of as many as a count needs; null where that is not known.</summary>
    public ReachSignaller? Signaller { get; init; }

    /// <summary>A static field leads to it, and nothing runs in the process that could use the field.</summary>
    public bool IsInStatic { get; init; }

    /// <summary>
    /// The methods of the program with an instruction that uses the static field which holds it, and does not merely wait for it, as
    /// "App.Cache.Fill", at most some. Where none holds it and nothing can end the wait, those with a call that ends waits for objects of
    /// its kind, if calls alone do. Null where code that is not the program's may come to one of them.
    /// </summary>
    public IReadOnlyList<string>? Users { get; init; }

    /// <summary>Those of them that signal, complete or fill it; null where <see cref="Users"/> is.</summary>
    public IReadOnlyList<string>? Givers { get; init; }

    /// <summary>Nothing leads to it but code that can come to one of <see cref="Givers"/>, and all <see cref="Users"/> are such.</summary>
    public bool IsByGiversAlone { get; init; }

    /// <summary>
    /// Calls of the program bring what is waited for, and nobody can come to one any more, whoever has the object: a token may still call
    /// the wait off. <see cref="Givers"/> are the methods with such a call.
    /// </summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)]
    public bool IsGivenByNobody { get; init; }

    /// <summary>Code of the program that leads to it and continues by itself, at most some; null where that was not looked for.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public IReadOnlyList<ReachMover>? Movers { get; init; }

    /// <summary>
    /// The program's only methods with a call that ends the wait, whether somebody can come to one or not; null where others may end it too,
    /// and where <see cref="Givers"/> says so. At most some.
    /// </summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public IReadOnlyList<string>? GivenIn { get; init; }

    /// <summary>
    /// Who has in hand what is waited for, comes behind his own wait to a call that ends it, and waits himself; null where nobody is seen to,
    /// and where that was not looked for. An async method is named by the innermost of those that it awaits.
    /// </summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public ReachHolder? Bearer { get; init; }

    /// <summary>Who waits is inside the only method that could end the wait; null where that is not so, or not known.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public OwnGiver? OwnGiver { get; init; }

    /// <summary>The only code that ends the wait has ended with an exception; null where that is not so, or not known.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public FailedGiver? FailedGiver { get; init; }

    /// <summary>
    /// Who leads to it and waits itself, for good or for an answer from outside, without those that wait for this very object. At most
    /// some; empty where anything else can end the wait.
    /// </summary>
    public required IReadOnlyList<ReachHolder> Holders { get; init; }
}
