using System.Globalization;
using HangTriage.Facts;
using HangTriage.Facts.Calls;
using HangTriage.Rules.Claims;
using HangTriage.Rules.Threads;

namespace HangTriage.Rules.Outside;

/// <summary>Says where a thread waits for something outside, for what, and what to do.</summary>
internal static class OutsideText
{
    private const string Redirected = "Read the redirected output while the child runs (BeginOutputReadLine, BeginErrorReadLine), or before WaitForExit; redirect nothing that is not read.";

    private const string PastExit = "Give what the child starts another output than the child's own, or call WaitForExit with a limit: then it does not wait for the end of the output.";

    private const string LeftOpen = "Commit, roll back or dispose of each transaction on every way out, errors too: a using block does.";

    private const string ToItself = "Call the code in place of the process's own port, or find out what keeps its handler (suspended async methods and threads, below) from answering.";

    /// <summary>As "PriceClient.Fetch (Shop/PriceClient.cs:31)"; the call itself where no code of the program's is known.</summary>
    public static Claim Place(OutsideRequest request)
    {
        if (request.Method is { } method)
        {
            return MethodText.Short(method);
        }

        FrameFacts frame = request.Caller ?? request.Frame;
        string line = frame.Source is { } source ? $" ({source})" : string.Empty;
        return Claim.Of(new ClaimPart(MethodText.Short(frame.Method!) + line) { Frame = frame });
    }

    /// <summary>As "an answer from 10.0.0.7:5432".</summary>
    public static string Thing(OutsideRequest request)
        => request.Row.Title is { } title ? string.Format(CultureInfo.InvariantCulture, title, Other(request))
            : request.Row.Outside switch
            {
                OutsideEnd.Server => $"an answer from {Other(request)}",
                OutsideEnd.Client => "a client",
                OutsideEnd.ChildProcess => $"the end of {Child(request)}",
                OutsideEnd.Pipe when request.Child is not null => $"output of {Child(request)}",
                OutsideEnd.Pipe => "data from the other end of a pipe",
                OutsideEnd.Person => "input at the console",
                _ => "a file or device",
            };

    /// <summary>As "child process 1234".</summary>
    public static string Child(OutsideRequest request) => Child(request.Child);

    /// <summary>The same of the child; null for one that is not known.</summary>
    public static string Child(ChildFacts? child)
        => child?.Id is { } id && id.TryGet(out uint number) ? string.Create(CultureInfo.InvariantCulture, $"child process {number}") : "a child process";

    /// <summary>As "output and errors of child process 1234 are redirected into pipes that nobody reads".</summary>
    public static string Unread(OutsideRequest request)
    {
        (string streams, string pipes) = request.Child!.Unread.Value switch
        {
            UnreadOutput.Output => ("output", "is redirected into a pipe"),
            UnreadOutput.Errors => ("error output", "is redirected into a pipe"),
            _ => ("output and error output", "are redirected into pipes"),
        };
        return $"the child's {streams} {pipes} that nobody reads";
    }

    public static IReadOnlyList<Claim> Advice(OutsideRequest request, bool holdsLock)
        =>
        [
            .. request.IsToItself ? [ToItself] : Array.Empty<Claim>(),
            .. request.IsUnread ? [Redirected] : Array.Empty<Claim>(),
            .. request.IsPastExit ? [PastExit] : Array.Empty<Claim>(),
            .. request.IsLeftOpen ? [LeftOpen] : Array.Empty<Claim>(),
            request.Row.Outside switch
            {
                OutsideEnd.File when request.Holder is not null || request.IsLeftOpen
                    => "Look at what this process does with its own connections to the database.",
                OutsideEnd.ChildProcess or OutsideEnd.Pipe => $"Look at what {(request.Child is null ? "the process at the other end of the pipe" : Child(request))} does: dump it, too.",
                OutsideEnd.File => "Find out what is at the other end of the file or device, and which other process has it.",
                OutsideEnd.Person => "Give the program its input, or redirect it from a file.",
                _ when request.IsToItself => "Look at what the handler of that request waits for.",
                _ => $"Look at what {Other(request)} does at this time: a dump of that process, its log, the state of the connection.",
            },
            "Give the call a timeout or a CancellationToken, and handle its end.",
            .. holdsLock ? ["Hold no lock during a call that leaves the process."] : Array.Empty<Claim>(),
        ];

    /// <summary>As "10.0.0.7:5432", or "127.0.0.1:80, where this process itself listens".</summary>
    public static string Peer(string address, bool isToItself) => isToItself ? $"{address}, where this process itself listens" : address;

    private static string Other(OutsideRequest request)
        => request.Peer is { } peer ? Peer(peer, request.IsToItself)
            : request.Row.Outside == OutsideEnd.Pipe ? "the other end of a pipe"
            : "a server";
}
