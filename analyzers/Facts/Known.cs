using System.Diagnostics.CodeAnalysis;
using System.Text.Json.Serialization;

namespace HangTriage.Facts;

/// <summary>
/// A value with how it is known, or the <see cref="Facts.Gap"/> that says why there is none.
/// There is no third state: an empty or zero value is one that was seen to be empty or zero.
/// </summary>
[JsonConverter(typeof(KnownJsonConverterFactory))]
public sealed record Known<T> : IKnown
    where T : notnull
{
    private readonly T? _value;

    private Known(T? value, Trust trust, Gap? gap)
    {
        _value = value;
        Trust = trust;
        Gap = gap;
    }

    /// <summary>How the value is known; meaningless for a gap.</summary>
    public Trust Trust { get; }

    /// <summary>Why there is no value; null where there is one.</summary>
    public Gap? Gap { get; }

    [MemberNotNullWhen(false, nameof(Gap))]
    public bool HasValue => Gap is null;

    /// <exception cref="InvalidOperationException">There is no value.</exception>
    public T Value => Gap is null ? _value! : throw new InvalidOperationException($"Not known: {Gap}");

    /// <summary>The default of its type where there is no value.</summary>
    internal T? ValueOrDefault => _value;

    object? IKnown.ValueOrDefault => _value;

    public bool TryGet([MaybeNullWhen(false)] out T value)
    {
        value = _value;
        return Gap is null;
    }

    /// <summary>True only where the value is known and fulfils the condition.</summary>
    public bool Is(Func<T, bool> condition) => Gap is null && condition(_value!);

    public Known<TOther> Select<TOther>(Func<T, TOther> map)
        where TOther : notnull
        => Gap is null ? new Known<TOther>(map(_value!), Trust, null) : Known<TOther>.Unknown(Gap);

    public static Known<T> Of(T value, Trust trust)
    {
        ArgumentNullException.ThrowIfNull(value);
        return new Known<T>(value, trust, null);
    }

    public static Known<T> Unknown(Gap gap)
    {
        ArgumentNullException.ThrowIfNull(gap);
        return new Known<T>(default, default, gap);
    }

    public override string ToString() => Gap is null ? $"{_value}" : $"? ({Gap})";
}
