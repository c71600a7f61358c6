using HangTriage.Facts;
using HangTriage.Rules.Threads;

namespace HangTriage.Rules.Context;

/// <summary>The threads whose waits people notice: those of a user interface, and Main.</summary>
internal static class ImportantThreads
{
    public static bool Contain(RuleContext context, ThreadId thread)
        => context.FindUiThread(thread) is not null
            || (context.Find(thread) is { } found && UserCode.IsUnderMain(found.Thread.Stack.Frames));
}
