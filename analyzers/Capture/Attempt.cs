using HangTriage.Facts;

namespace HangTriage.Capture;

/// <summary>
/// Runs one reading of a target and turns what fails in it into a gap: ClrMD throws many kinds of exception on memory
/// that is missing or makes no sense, and one piece that fails must not take the others with it.
/// </summary>
internal static class Attempt
{
    public static Known<T> Read<T>(string what, Func<Known<T>> read)
        where T : notnull
    {
        try
        {
            return read();
        }
        catch (Exception e) when (e is not (OperationCanceledException or OutOfMemoryException))
        {
            return Known<T>.Unknown(Failed(what, e));
        }
    }

    /// <summary>The same of what is told where it was read, without a gap: null where it could not be.</summary>
    public static IReadOnlyList<T>? Find<T>(string what, Func<IReadOnlyList<T>> read)
        => Read(what, () => Known.Read(read())).TryGet(out IReadOnlyList<T>? found) ? found : null;

    public static Gap Failed(string what, Exception e) => new(what, $"reading failed: {e.GetType().Name}: {OneLine(e.Message)}");

    public static string OneLine(string message) => message.ReplaceLineEndings(" ").Trim();
}
