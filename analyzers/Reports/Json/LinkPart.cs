namespace HangTriage.Reports.Json;

internal sealed record LinkPart(PartyPart From, string Edge, PartyPart To);
