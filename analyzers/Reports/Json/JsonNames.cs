using System.Text.Json;

namespace HangTriage.Reports.Json;

/// <summary>What the values of enumerations are called in the JSON report: "notApplicable". Verdict kinds and confidences keep their capital.</summary>
internal static class JsonNames
{
    public static string Of<T>(T value)
        where T : struct, Enum
        => JsonNamingPolicy.CamelCase.ConvertName(value.ToString());
}
