namespace HangTriage.Facts;

/// <summary>Makes <see cref="Known{T}"/> values with the type inferred.</summary>
public static class Known
{
    public static Known<T> Read<T>(T value)
        where T : notnull
        => Known<T>.Of(value, Trust.Read);

    public static Known<T> Derived<T>(T value)
        where T : notnull
        => Known<T>.Of(value, Trust.Derived);

    public static Known<T> Unknown<T>(string what, string why)
        where T : notnull
        => Known<T>.Unknown(new Gap(what, why));
}
