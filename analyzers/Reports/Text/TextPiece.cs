using HangTriage.Rules.Claims;

namespace HangTriage.Reports.Text;

/// <summary>Clean text without a break, and what it names; null for plain words.</summary>
internal readonly record struct TextPiece(string Text, ClaimPart? Named);
