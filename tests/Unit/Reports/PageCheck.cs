using System.Text.RegularExpressions;
using System.Xml.Linq;

namespace HangTriage.Tests.Unit.Reports;

/// <summary>What is wrong with a page for a browser; each check gives nothing where all is well.</summary>
internal static partial class PageCheck
{
    private static readonly string[] s_elements =
    [
        "html", "head", "meta", "title", "style", "body", "main", "h1", "h2", "p", "b", "a", "div", "span", "ol", "ul", "li", "pre",
        "details", "summary", "table", "tr", "th", "td", "svg", "defs", "marker", "g", "rect", "path", "text",
    ];

    /// <exception cref="System.Xml.XmlException">A tag is not closed, or a letter is not escaped.</exception>
    public static XDocument Parse(string page)
    {
        Assert.StartsWith("<!doctype html>\n", page, StringComparison.Ordinal);
        return XDocument.Parse(Void().Replace(page[page.IndexOf('\n', StringComparison.Ordinal)..].TrimStart(), "<meta$1/>"));
    }

    /// <summary>Elements that a report has no use for, and attributes that run or load something.</summary>
    public static IEnumerable<string> Strange(XDocument page)
        => page.Descendants().Select(element => element.Name.LocalName).Except(s_elements)
            .Concat(page.Descendants().Attributes().Where(IsActive).Select(attribute => attribute.ToString()));

    public static IEnumerable<string> TwicePlaced(XDocument page)
        => page.Descendants().Attributes("id").GroupBy(id => id.Value).Where(group => group.Count() > 1).Select(group => group.Key);

    public static IEnumerable<string> DeadLinks(XDocument page)
    {
        HashSet<string> places = [.. page.Descendants().Attributes("id").Select(id => id.Value)];
        return page.Descendants().Attributes("href").Select(href => href.Value)
            .Concat(page.Descendants().Attributes("marker-end").Select(end => end.Value["url(".Length..^1]))
            .Where(link => link[0] != '#' || !places.Contains(link[1..]));
    }

    private static bool IsActive(XAttribute attribute)
        => attribute.Name.LocalName is "src" or "style" or "srcdoc"
            || attribute.Name.LocalName.StartsWith("on", StringComparison.OrdinalIgnoreCase);

    [GeneratedRegex("<meta([^>]*)>")]
    private static partial Regex Void();
}
