namespace HangTriage.Reports;

/// <summary>Something that is missing, and how often.</summary>
internal sealed record UnseenThing(string What, int Count);
