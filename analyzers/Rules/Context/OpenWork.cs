using HangTriage.Facts;
using HangTriage.Rules.Threads;

namespace HangTriage.Rules.Context;

/// <summary>Work under a lock that may last as long as its input likes: a loop that no count and no end of a collection ends, or the match of a pattern.</summary>
internal static class OpenWork
{
    private const string Framework = "System.";
    private const string Regex = Framework + "Text.RegularExpressions.";

    // They run what the program gives them, with its loops.
    private static readonly string[] s_engines =
        ["Jint.", "NiL.JS.", "MoonSharp.", "NLua.", "IronPython.", "Microsoft.Scripting.", "Microsoft.ClearScript.", "Scriban."];

    /// <summary>What it does, as the rest of a sentence; null where it is seen at no such work.</summary>
    public static string? Of(RuleContext context, ThreadFacts owner)
        => OpenLoopOf(context, owner) is { } loop ? $"is in a loop of {MethodText.Short(loop)} that need not end"
            : IsMatching(owner) && !IsMatchLimited(context, owner) ? "matches a regular expression"
            : null;

    /// <summary>Every loop that it is in under the lock ends for certain, however long that takes, and so does the match of a pattern.</summary>
    public static bool IsLimited(RuleContext context, ThreadFacts owner)
        => IsMatching(owner)
            ? IsMatchLimited(context, owner) && LoopOf(context, owner) is not { IsLimited: false }
            : LoopOf(context, owner) is { IsLimited: true };

    // The expression was made with a limit, after which the match throws.
    private static bool IsMatchLimited(RuleContext context, ThreadFacts owner)
        => context.FindWork(owner.OsId)?.MatchLimit is { } limit && WaitLimit.Ends(limit);

    /// <summary>It matches a regular expression: one that backtracks can take for ever, and one that does not is seldom caught at it.</summary>
    public static bool IsMatching(ThreadFacts thread)
        => thread.Stack.Frames.Where(frame => frame.Kind == FrameKind.Managed)
            .TakeWhile(frame => frame.Method?.StartsWith(Framework, StringComparison.Ordinal) == true)
            .Any(frame => frame.Method!.StartsWith(Regex, StringComparison.Ordinal));

    // What libraries do in loops of their own, as sorting or compressing, ends: nothing that the program gives them is a loop.
    private static string? OpenLoopOf(RuleContext context, ThreadFacts owner)
        => LoopOf(context, owner) is { IsLimited: false } loop
            ? (loop.Around ?? []).Prepend(loop.Method).FirstOrDefault(method => !IsOfLibrary(context, owner, method))
            : null;

    private static bool IsOfLibrary(RuleContext context, ThreadFacts owner, string method)
        => !Array.Exists(s_engines, engine => method.StartsWith(engine, StringComparison.Ordinal))
            && context.Threads.Any(thread => UserCode.HasSource(thread.Thread))
            && owner.Stack.Frames.Any(frame => frame.Method == method)
            && owner.Stack.Frames.All(frame => frame.Method != method || frame.Source is null);

    private static LockedLoopFacts? LoopOf(RuleContext context, ThreadFacts owner)
        => context.Managed?.LockedLoops is { } known && known.TryGet(out IReadOnlyList<LockedLoopFacts>? loops)
            ? loops.FirstOrDefault(loop => loop.Thread == owner.OsId) : null;
}
