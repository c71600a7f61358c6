using HangTriage.Capture.Managed.Tasks;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Reach;

/// <summary>
/// The callbacks of a cancellation token. Its source runs them; one of them, which a token linked to that source has to take itself
/// off again, leads neither to the source nor to the others.
/// </summary>
internal static class TokenRegistrations
{
    private const string Callback = "System.Threading.CancellationTokenSource+CallbackNode";
    private const string List = "System.Threading.CancellationTokenSource+Registrations";

    /// <summary>Who leads to the target where the referrer refers to it; null where nobody does by that.</summary>
    public static ClrObject? LeadingTo(ClrObject referrer, ClrObject target)
        => referrer.Type?.Name != Callback ? referrer
            : target.Type?.Name switch
            {
                List => null,
                Callback => target.Reference("Registrations") is { IsNull: false } list ? list : referrer,
                _ => referrer,
            };
}
