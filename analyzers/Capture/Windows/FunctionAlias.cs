using HangTriage.Facts.Calls;

namespace HangTriage.Capture.Windows;

/// <summary>Which of several names of one function a person would expect.</summary>
internal static class FunctionAlias
{
    /// <summary>Of the pairs in ntdll the Nt one, which user code calls; a plain name before a decorated one; then the first by alphabet.</summary>
    public static bool IsBetter(string name, string best)
    {
        int rank = Rank(name).CompareTo(Rank(best));
        return rank == 0 ? string.CompareOrdinal(name, best) < 0 : rank < 0;
    }

    private static int Rank(string name)
        => name.StartsWith('?') ? 2 : CallNames.IsKernelAlias(name) ? 1 : 0;
}
