namespace HangTriage.Facts;

/// <summary>A <see cref="Known{T}"/> whose type does not matter.</summary>
internal interface IKnown
{
    /// <summary>Why there is no value; null where there is one.</summary>
    Gap? Gap { get; }

    /// <summary>The default of its type where there is no value.</summary>
    object? ValueOrDefault { get; }
}
