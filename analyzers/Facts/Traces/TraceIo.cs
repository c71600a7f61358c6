namespace HangTriage.Facts;

/// <summary>Calls that move bytes.</summary>
/// <param name="Calls">How many.</param>
/// <param name="Bytes">How many bytes they asked for.</param>
public sealed record TraceIo(long Calls, long Bytes)
{
    public static TraceIo None { get; } = new(0, 0);

    /// <summary>Bytes of a call on average; 0 without calls.</summary>
    public double Mean => Calls == 0 ? 0 : (double)Bytes / Calls;
}
