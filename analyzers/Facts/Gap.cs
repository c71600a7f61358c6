namespace HangTriage.Facts;

/// <summary>Something that could not be seen, and why.</summary>
/// <param name="What">What is missing, as a noun phrase: "loader lock".</param>
/// <param name="Why">Why it could not be read, in words for the person who made the dump.</param>
public sealed record Gap(string What, string Why)
{
    public override string ToString() => $"{What}: {Why}";
}
