using System.Text.Json;
using System.Text.Json.Serialization.Metadata;

namespace HangTriage.Facts;

/// <summary>Writes and reads the facts of a process as JSON (.facts.json).</summary>
public static class FactsFile
{
    /// <summary>One snapshot at the root, without samples around it.</summary>
    private const int SchemaOfOneSnapshot = 1;

    /// <summary>In bytes.</summary>
    private const long LargestFile = 1L << 29;

    public static void Write(Case @case, Stream output)
    {
        ArgumentNullException.ThrowIfNull(@case);
        JsonSerializer.Serialize(output, new FactsOfCase { Samples = @case.Samples, Trace = StoredTrace.Of(@case) }, FactsJsonContext.Default.FactsOfCase);
    }

    /// <exception cref="InvalidDataException">The input is no facts file, or one of another version; the message is one line.</exception>
    public static Case Read(Stream input)
    {
        ArgumentNullException.ThrowIfNull(input);
        if (input.CanSeek && input.Length > LargestFile)
        {
            throw new InvalidDataException("not a facts file: it is larger than 512 MB");
        }

        using MemoryStream copy = new();
        input.CopyTo(copy);
        ReadOnlySpan<byte> json = copy.GetBuffer().AsSpan(0, (int)copy.Length);
        FactsOfCase facts = Parse(json, FactsJsonContext.Default.FactsHeader).Schema switch
        {
            FactsOfCase.CurrentSchema => Parse(json, FactsJsonContext.Default.FactsOfCase),
            SchemaOfOneSnapshot => new FactsOfCase { Samples = [Parse(json, FactsJsonContext.Default.ProcessSnapshot)] },
            null => throw new InvalidDataException("not a facts file: it states no schema"),
            int other => throw new InvalidDataException(
                $"facts of schema {other}; this version reads schemas {SchemaOfOneSnapshot} and {FactsOfCase.CurrentSchema}"),
        };
        return facts.Samples is { Count: 0 } ? throw new InvalidDataException("not a facts file: it has no samples")
            : MissingFacts.FirstIn(facts) is { } missing ? throw new InvalidDataException($"not a facts file: {missing} is null")
            : facts.Trace is { } trace ? Case.Of(facts.Samples).With(trace.File, trace.Facts)
            : Case.Of(facts.Samples);
    }

    private static T Parse<T>(ReadOnlySpan<byte> json, JsonTypeInfo<T> type)
        where T : class
    {
        try
        {
            return JsonSerializer.Deserialize(WithoutMark(json), type) ?? throw new InvalidDataException("not a facts file: it holds null");
        }
        catch (JsonException e)
        {
            throw new InvalidDataException($"not a facts file: line {e.LineNumber + 1}, {e.Path ?? "$"}", e);
        }
    }

    // A byte order mark, which editors of Windows put in front.
    private static ReadOnlySpan<byte> WithoutMark(ReadOnlySpan<byte> json) => json.StartsWith("\uFEFF"u8) ? json[3..] : json;
}
