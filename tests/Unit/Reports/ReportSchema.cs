using HangTriage.Tests.Support;
using Newtonsoft.Json.Linq;
using Newtonsoft.Json.Schema;

namespace HangTriage.Tests.Unit.Reports;

/// <summary>docs/report-schema.json as the judge of reports.</summary>
internal static class ReportSchema
{
    private static readonly JSchema s_schema = JSchema.Parse(File.ReadAllText(Path.Combine(Repository.Root, "docs", "report-schema.json")));

    public static IReadOnlyList<string> Errors(string report)
    {
        JToken.Parse(report).IsValid(s_schema, out IList<string> errors);
        return [.. errors];
    }
}
