using HangTriage.Rules;

namespace HangTriage.Tests.Unit.Reports;

internal static class Goldens
{
    public static TriageResult Result(string name) => name switch
    {
        "spinner" => SampleResults.Spinner(),
        "deadlock" => SampleResults.Deadlock(),
        "not-hung" => SampleResults.NotHung(),
        "inconclusive" => SampleResults.Inconclusive(),
        "failed-rule" => SampleResults.WithFailedRule(),
        "flows" => SampleResults.WithFlows(),
        "hostile" => SampleResults.Hostile(SampleResults.HostileText),
        _ => throw new ArgumentOutOfRangeException(nameof(name)),
    };
}
