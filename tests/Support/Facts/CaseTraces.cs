using HangTriage.Facts;

namespace HangTriage.Tests.Support.Facts;

/// <summary>Keeps a case's trace where its samples are changed.</summary>
public static class CaseTraces
{
    public static Case WithTraceOf(this Case changed, Case original)
        => original.Trace is { } trace ? changed.With(trace.File, trace.Facts) : changed;
}
