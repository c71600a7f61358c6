using System.Globalization;
using HangTriage.Facts;

namespace HangTriage.Capture.Live;

/// <summary>Says what became of memory that there was no time to copy.</summary>
internal static class LateMemory
{
    /// <param name="bytes">How much was not copied.</param>
    /// <param name="stoodStill">How long the process stood still.</param>
    /// <param name="pages">What was read of it while the process ran.</param>
    /// <returns>Null where all was copied.</returns>
    public static Gap? GapOf(ulong bytes, TimeSpan stoodStill, LivePages pages)
    {
        if (bytes == 0)
        {
            return null;
        }

        (int changed, int compared) = pages.Compare();
        string missed = string.Create(CultureInfo.InvariantCulture, $"{bytes >> 20} MB were not copied in the time that the process stood still ({stoodStill.TotalMilliseconds:0} ms); what was needed of them was read while it ran");
        return changed == 0
            ? new Gap("memory in one instant", $"{missed}, and has not changed since")
            : new Gap("memory in one instant", string.Create(CultureInfo.InvariantCulture, $"{missed}, and {changed} of {compared} pages have changed since; give more time with --pause")) { IsLoss = true };
    }
}
