using HangTriage.Capture.Managed.Flows;
using HangTriage.Capture.Managed.Tasks;
using HangTriage.Capture.Managed.Timers;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Movers;

/// <summary>
/// What is told when a source of cancellation tokens is cancelled: its registrations, and those of the sources that are linked to it
/// (dotnet/runtime: CancellationTokenSource.cs, the same in .NET 8 to 10).
/// </summary>
internal static class CancelledSources
{
    public const string Type = "System.Threading.CancellationTokenSource";

    private const string Linked = Type + "+Linked";
    private const int MostNodes = 256;
    private const int Deepest = 8;

    /// <summary>Somebody other than linked sources is told, or that is not known. Who looks at a token by itself is no matter of its source.</summary>
    public static bool Tells(ClrObject source) => Tells(source, Deepest);

    private static bool Tells(ClrObject source, int depth)
    {
        if (depth == 0 || !source.Has("_registrations"))
        {
            return true;
        }

        int count = 0;
        foreach (ClrObject node in TokenSources.CallbacksOf(source))
        {
            ClrObject state = node.Reference("CallbackState");
            bool isLink = state.Type?.Name?.StartsWith(Linked, StringComparison.Ordinal) == true;
            if (++count > MostNodes || !isLink || Tells(state, depth - 1))
            {
                return true;
            }
        }

        return false;
    }
}
