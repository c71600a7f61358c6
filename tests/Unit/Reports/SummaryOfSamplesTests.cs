using System.Text;
using HangTriage.Reports.Summary;

namespace HangTriage.Tests.Unit.Reports;

/// <summary>The stored samples as a summary groups them, C programs of Windows among them: no two hangs share a signature.</summary>
public sealed class SummaryOfSamplesTests
{
    private const int LeastHangs = 30;

    [Fact]
    public void Each_hang_is_a_group_of_its_own()
    {
        string[] hangs = [.. StoredSamples.Names.Where(name => StoredSamples.Result(name).Verdict.Rule is not null)];
        SummaryTable table = new();
        foreach (string name in hangs)
        {
            table.Add(DigestReader.Read(Encoding.UTF8.GetBytes(StoredSamples.Json(name)), out string? whyNot) ?? throw new InvalidOperationException($"{name}: {whyNot}"));
        }

        Assert.InRange(hangs.Length, LeastHangs, int.MaxValue);
        Assert.Equal(hangs.Length, table.Groups().Count);
    }
}
