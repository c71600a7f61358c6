using HangTriage.Facts;
using HangTriage.Reports.Graph;
using HangTriage.Rules.Claims;

namespace HangTriage.Reports.Incident;

/// <summary>
/// What an incident report is made of, in whatever format. Whoever implements it escapes every text for its format, and may leave
/// parts out where the page gets too long; it then says so at the end.
/// </summary>
internal interface IPage
{
    /// <summary>The first line, and the heading of the document.</summary>
    void Title(string text);

    /// <summary>Names and values, one pair a row.</summary>
    void Box(IReadOnlyList<(string Name, Claim Value)> rows);

    void Heading(string text);

    void Paragraph(Claim text);

    /// <summary>A paragraph that begins with a word in bold.</summary>
    void Paragraph(string bold, Claim text);

    void List(IReadOnlyList<Claim> items, bool isNumbered);

    void Table(IReadOnlyList<string> heads, IReadOnlyList<IReadOnlyList<Claim>> rows);

    void Graph(WaitPicture picture);

    /// <summary>Lines of a stack or a command, as they are.</summary>
    void Code(IReadOnlyList<Claim> lines);

    /// <summary>A part that is folded until the reader opens it.</summary>
    /// <param name="title">What stands there while it is folded.</param>
    /// <param name="about">The threads that it tells of: links to them lead here.</param>
    /// <param name="content">Writes what is inside.</param>
    void Details(string title, IReadOnlyList<ThreadId> about, Action content);

    /// <summary>Nothing comes behind it.</summary>
    void End();
}
