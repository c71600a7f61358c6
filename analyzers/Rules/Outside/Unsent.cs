using HangTriage.Facts;
using HangTriage.Rules.Claims;
using HangTriage.Rules.Context;
using HangTriage.Rules.Observing;
using HangTriage.Rules.Threads;

namespace HangTriage.Rules.Outside;

/// <summary>What somebody has written to the other side that he reads from, and that is still in his own buffer.</summary>
internal sealed record Unsent(UnsentFacts Facts)
{
    public const string Advice = "Flush the writer before the answer is read, or set AutoFlush.";

    /// <summary>Null where nothing is seen, and for a socket that is not read from.</summary>
    public static Unsent? To(RuleContext context, SocketFacts? socket)
        => socket is { At: { } found, IsListening: false, Operation: null or SocketOperation.Receive }
            && context.Managed?.Unsent?.FirstOrDefault(unsent => unsent.Socket == found) is { } facts ? new Unsent(facts) : null;

    /// <summary>As the end of a sentence: "; 22 bytes that it has written are still in its BufferedStream".</summary>
    public Claim Text => $"; {Count.Of(Facts.Count, Unit)} that it has written {(Facts.Count == 1 ? "is" : "are")} still in its {Type}";

    public Evidence Evidence => new($"{Count.Of(Facts.Count, Unit)} in the buffer of a {Type} over the socket", "heap walk", Trust.Read)
    {
        Address = Facts.Socket,
    };

    private string Type => MethodText.Type(Facts.Writer);

    private string Unit => Facts.Writer.EndsWith("StreamWriter", StringComparison.Ordinal) ? "character" : "byte";
}
