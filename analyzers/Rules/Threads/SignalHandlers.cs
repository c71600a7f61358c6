using HangTriage.Facts;
using HangTriage.Facts.Calls;

namespace HangTriage.Rules.Threads;

/// <summary>Recognises the program's handlers of signals of the system.</summary>
internal static class SignalHandlers
{
    /// <summary>The thread runs code of the program's that .NET called because of a signal.</summary>
    public static bool IsRunBy(ThreadFacts thread)
        => thread.Stack.Frames
            .SkipWhile(frame => !UserCode.IsManaged(frame))
            .Any(frame => DotNetCalls.Find(frame)?.Meaning == CallMeaning.HandlesSignal);
}
