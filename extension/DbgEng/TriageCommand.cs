using System.Diagnostics;
using System.Globalization;
using HangTriage.Capture;
using HangTriage.DbgEng.Engine;
using HangTriage.Facts;
using HangTriage.Reports;
using HangTriage.Reports.Dml;
using HangTriage.Reports.Text;
using HangTriage.Rules;
using HangTriage.Traces;
using HangTriage.Traces.Files;

namespace HangTriage.DbgEng;

/// <summary>The !triage command: captures the session's process, judges it and prints the verdict.</summary>
internal sealed class TriageCommand(DebugSession session, TriageRequest request)
{
    /// <returns>An HRESULT; what failed has been printed as one line.</returns>
    public int Run()
    {
        if (SessionTarget.WhyNone(session) is { } reason)
        {
            return Refuse(reason.Why, reason.Result);
        }

        try
        {
            SessionState state = SessionState.Of(session, request);
            SessionFacts? kept = SessionFacts.Find(state);
            SessionFacts facts = kept ?? Capture();
            long start = Stopwatch.GetTimestamp();
            Case @case = Joined(Case.Of(facts.Snapshot) with { IsSaidToHang = request.IsHung });
            TriageResult result = Triage.Judge(@case);
            TimeSpan judged = Stopwatch.GetElapsedTime(start);
            Print(result, kept);
            new ReportFiles(session, result, facts.Took, judged).Write(request.Json, request.Markdown);
            return result.HasFailedRule ? HResult.Fail : facts.Snapshot.Stopped is null ? HResult.Ok : HResult.Abort;
        }
        catch (OperationCanceledException)
        {
            return Refuse("stopped while the modules and threads were listed, or the trace was read; nothing was judged", HResult.Abort);
        }
        catch (TraceOpenException e)
        {
            return Refuse($"{request.Trace}: {e.Message}", HResult.BadFormat);
        }
        catch (TargetOpenException e)
        {
            return Refuse(e.Message, HResult.BadFormat);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or ArgumentException or NotSupportedException)
        {
            return Refuse(e.Message.ReplaceLineEndings(" "), e.HResult);
        }
    }

    private SessionFacts Capture()
    {
        SessionFacts facts = new SessionCapture(session, request).Read();
        if (facts.Snapshot.Stopped is null)
        {
            facts.Keep(SessionState.Of(session, request));
        }

        return facts;
    }

    /// <summary>The case with the trace that the user named, joined or refused.</summary>
    private Case Joined(Case @case)
    {
        if (request.Trace is not { } trace)
        {
            return @case;
        }

        using InterruptWatch watch = new(session);
        Case joined = TraceOfCase.Read(@case, trace, new TraceContext(TraceLimits.Default, null, watch.Token) { ReadsNettrace = false });
        if (joined.Trace?.Refusal is { } refusal)
        {
            using EngineOutput output = EngineOutput.Of(session);
            output.WriteLine(Printable.Ascii($"triage: {refusal}"));
        }

        return joined;
    }

    private void Print(TriageResult result, SessionFacts? kept)
    {
        bool isDml = session.AcceptsDml;
        using EngineOutput output = EngineOutput.Of(session, isDml);
        if (result.Snapshot.Stopped is { } stopped)
        {
            output.Write($"triage: {stopped.Why}; what was read until then is judged\n");
        }

        TextReportOptions layout = request.IsVerbose ? TextReportOptions.Whole : TextReportOptions.Default;
        TextReport.Write(result, output, isDml ? DmlLinks.In(layout) : layout);
        if (kept is not null)
        {
            output.Write(string.Create(CultureInfo.InvariantCulture, $"Facts   read {kept.Age.TotalSeconds:F0} s ago; the session has not changed since\n"));
        }
    }

    private int Refuse(string why, int result)
    {
        using EngineOutput error = EngineOutput.Errors(session);
        error.WriteLine($"triage: {why}");
        return result;
    }
}
