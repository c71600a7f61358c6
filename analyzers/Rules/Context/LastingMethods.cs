using HangTriage.Facts.Calls;
using HangTriage.Rules.Threads;

namespace HangTriage.Rules.Context;

/// <summary>Methods of libraries whose names say that they go on for as long as a program lives: to await one is to idle.</summary>
internal static class LastingMethods
{
    private static readonly string[] s_verbs = ["Run", "Listen", "Consume", "Subscribe", "Receive", "Process", "Poll", "Watch", "Keep", "WaitFor", "Serve", "Accept"];

    // A client of a server executes and starts what it wants to end.
    private static readonly string[] s_ofOthers = ["Execute", "Start", "Monitor", "Observe", "Join", "Work"];

    public static bool Contain(string method)
    {
        string name = MethodText.Short(method);
        string last = name[(name.LastIndexOf('.') + 1)..];
        return Array.Exists(s_verbs, StartsIt) || (!OutsideCall.IsOfClient(method) && Array.Exists(s_ofOthers, StartsIt));

        bool StartsIt(string verb) => last.StartsWith(verb, StringComparison.Ordinal);
    }
}
