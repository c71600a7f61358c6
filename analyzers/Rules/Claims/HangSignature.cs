using System.Security.Cryptography;
using System.Text;
using HangTriage.Facts;

namespace HangTriage.Rules.Claims;

/// <summary>
/// The name of a hang: equal for the same hang in another build, on another runtime or machine, and in another kind of
/// capture. It is made of the rule and of methods of the program, never of addresses, offsets, ids or counts.
/// </summary>
public sealed record HangSignature
{
    private const int HashBytes = 4;
    private const int MostFrames = 3;

    private HangSignature(string pattern, IReadOnlyList<IReadOnlyList<string>> stacks)
    {
        Text = pattern + string.Concat(stacks.Select(stack => "/" + string.Join('<', stack)));
        Frames = [.. InTurn(stacks).Distinct(StringComparer.Ordinal).Take(MostFrames)];
        Pattern = pattern;
    }

    /// <summary>The rule's id, or what was seen where no rule decided.</summary>
    public string Pattern { get; }

    /// <summary>The methods that tell it, at most three, of each stack the innermost first.</summary>
    public IReadOnlyList<string> Frames { get; }

    /// <summary>All of it: "HT1001/App.Account.Move/App.Audit.Run&lt;App.Program.Main".</summary>
    public string Text { get; }

    /// <summary>Short and the same for the same text: eight hex digits of its SHA-256.</summary>
    public string Hash => HashOf(Text);

    public static implicit operator HangSignature(string pattern) => Of(pattern, []);

    /// <param name="pattern">The rule's id, or what was seen.</param>
    /// <param name="stacks">Normalized frames, of each stack the innermost first; their order does not count.</param>
    public static HangSignature Of(string pattern, IEnumerable<IReadOnlyList<string>> stacks)
        => new(pattern, [.. stacks.DistinctBy(Key).OrderBy(Key, StringComparer.Ordinal).Take(Thresholds.StacksOfSignature)]);

    public static string HashOf(string text) => Convert.ToHexString(SHA256.HashData(Encoding.UTF8.GetBytes(text)).AsSpan(0, HashBytes)).ToLowerInvariant();

    public bool Equals(HangSignature? other) => other is not null && Text == other.Text;

    public override int GetHashCode() => Text.GetHashCode(StringComparison.Ordinal);

    public override string ToString() => Text;

    private static string Key(IReadOnlyList<string> stack) => string.Join('<', stack);

    // The first frame of each stack, then the second of each.
    private static IEnumerable<string> InTurn(IReadOnlyList<IReadOnlyList<string>> stacks)
        => Enumerable.Range(0, stacks.Select(stack => stack.Count).DefaultIfEmpty().Max())
            .SelectMany(depth => stacks.Where(stack => depth < stack.Count).Select(stack => stack[depth]));
}
