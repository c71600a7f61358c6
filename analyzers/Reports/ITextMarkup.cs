using HangTriage.Rules.Claims;

namespace HangTriage.Reports;

/// <summary>Makes clean text markup of a host's: what it returns is written as it is.</summary>
public interface ITextMarkup
{
    string Escape(string text);

    /// <param name="text">Clean text, or a piece of it.</param>
    /// <param name="named">What it names.</param>
    string Link(string text, ClaimPart named);
}
