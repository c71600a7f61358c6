using System.Globalization;
using System.Runtime.CompilerServices;
using HangTriage.Facts;

namespace HangTriage.Rules.Claims;

/// <summary>
/// A sentence, or a piece of one, made of parts: words, parties, frames, durations. Written as an interpolated string, it keeps
/// what the words stand for, so that each report renders it in its own way and no code reads printed text. Two claims are equal where their words are.
/// </summary>
[InterpolatedStringHandler]
public sealed class Claim : IEquatable<Claim>
{
    private readonly List<ClaimPart> _parts;

    public Claim(int literalLength, int formattedCount)
    {
        _ = literalLength;
        _parts = new List<ClaimPart>(formattedCount * 2);
    }

    private Claim(params IEnumerable<ClaimPart> parts) => _parts = [.. parts];

    public static Claim Empty { get; } = new(0, 0);

    public IReadOnlyList<ClaimPart> Parts => _parts;

    /// <summary>All of it as plain text.</summary>
    public string Text => _parts.Count == 1 ? _parts[0].Text : string.Concat(_parts.Select(part => part.Text));

    public bool IsEmpty => _parts.All(part => part.Text.Length == 0);

    public static implicit operator Claim(string text) => Of(text);

    public static Claim Of(string text)
    {
        ArgumentNullException.ThrowIfNull(text);
        return text.Length == 0 ? Empty : new Claim(new ClaimPart(text));
    }

    public static Claim Of(ClaimPart part) => new(part);

    public static Claim Of(FrameFacts frame) => new(new ClaimPart(FrameText.Of(frame)) { Frame = frame });

    /// <summary>The same with its first letter as a capital.</summary>
    public Claim AsSentence()
        => _parts.FindIndex(part => part.Text.Length > 0) is >= 0 and int first
            ? new Claim(_parts.Select((part, index) => index == first ? part with { Text = Sentence.Of(part.Text) } : part))
            : this;

    public static Claim Join(string separator, IEnumerable<Claim> claims)
    {
        Claim joined = new(0, 0);
        foreach (Claim claim in claims)
        {
            joined.AppendLiteral(joined._parts.Count == 0 ? string.Empty : separator);
            joined.AppendFormatted(claim);
        }

        return joined;
    }

    public void AppendLiteral(string text)
    {
        if (text.Length > 0)
        {
            _parts.Add(new ClaimPart(text));
        }
    }

    public void AppendFormatted(string? text) => AppendLiteral(text ?? string.Empty);

    public void AppendFormatted(int number) => AppendLiteral(number.ToString(CultureInfo.InvariantCulture));

    public void AppendFormatted(uint number) => AppendLiteral(number.ToString(CultureInfo.InvariantCulture));

    public void AppendFormatted(double number, string format) => AppendLiteral(number.ToString(format, CultureInfo.InvariantCulture));

    public void AppendFormatted(Address address) => AppendLiteral(address.ToString());

    public void AppendFormatted(ThreadId thread) => _parts.Add(new ClaimPart(thread.ToString()) { Thread = thread });

    public void AppendFormatted(Party party)
    {
        ArgumentNullException.ThrowIfNull(party);
        _parts.AddRange(party.Label._parts);
    }

    public void AppendFormatted(Claim? claim) => _parts.AddRange(claim?._parts ?? []);

    public bool Equals(Claim? other) => other is not null && Text == other.Text;

    public override bool Equals(object? obj) => Equals(obj as Claim);

    public override int GetHashCode() => Text.GetHashCode(StringComparison.Ordinal);

    public override string ToString() => Text;
}
