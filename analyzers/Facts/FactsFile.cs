using System.Text.Json;

namespace HangTriage.Facts;

/// <summary>Writes and reads the facts of a process as JSON (.facts.json).</summary>
public static class FactsFile
{
    public static void Write(ProcessSnapshot snapshot, Stream output)
    {
        ArgumentNullException.ThrowIfNull(snapshot);
        JsonSerializer.Serialize(output, snapshot, FactsJsonContext.Default.ProcessSnapshot);
    }

    /// <exception cref="InvalidDataException">The input is no facts file, or one of another version; the message is one line.</exception>
    public static ProcessSnapshot Read(Stream input)
    {
        ProcessSnapshot? snapshot;
        try
        {
            snapshot = JsonSerializer.Deserialize(input, FactsJsonContext.Default.ProcessSnapshot);
        }
        catch (JsonException e)
        {
            throw new InvalidDataException($"not a facts file: line {e.LineNumber + 1}, {e.Path ?? "$"}", e);
        }

        return snapshot switch
        {
            null => throw new InvalidDataException("not a facts file: it holds null"),
            { Schema: not ProcessSnapshot.CurrentSchema } => throw new InvalidDataException(
                $"facts of schema {snapshot.Schema}; this version reads schema {ProcessSnapshot.CurrentSchema}"),
            _ when MissingFacts.FirstIn(snapshot) is { } missing => throw new InvalidDataException($"not a facts file: {missing} is null"),
            _ => snapshot,
        };
    }
}
