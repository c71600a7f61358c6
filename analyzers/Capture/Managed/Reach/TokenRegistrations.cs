using HangTriage.Capture.Managed.Flows;
using HangTriage.Capture.Managed.Tasks;
using HangTriage.Capture.Managed.Timers;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Reach;

/// <summary>
/// The callbacks of a cancellation token. Its source runs them; one of them, which a token linked to that source has to take itself
/// off again, leads neither to the source nor to the others.
/// </summary>
internal static class TokenRegistrations
{
    private const string Callback = "System.Threading.CancellationTokenSource+CallbackNode";
    private const string Token = "System.Threading.CancellationToken";
    private const int MostFields = 256;
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

    /// <summary>The method of the program's that the callback runs; null for another object.</summary>
    public static ClrMethod? MethodOf(ClrObject node)
        => node.Type?.Name != Callback ? null
            // What takes no state is itself the state of a delegate of .NET's.
            : DelegateMethod.Of(node.Reference("CallbackState")) ?? DelegateMethod.Of(node.Reference("Callback"));

    /// <summary>
    /// The holder has the source by its tokens alone: who has a token is told of the end, and cannot bring it. False where that is not
    /// seen.
    /// </summary>
    public static bool HasTokenAlone(ClrObject holder, ClrObject source)
        => HasTokenAlone(holder.Type, holder.Address, isInside: false, source);

    /// <summary>The same of an async method's variables.</summary>
    public static bool HasTokenAlone(FlowBox flow, ClrObject source)
        => source.Type is { } type
            && FlowVariables.MachineOf(type.Heap, flow) is ({ } machine and not 0, var isInside)
            && HasTokenAlone(flow.Method?.Machine, machine, isInside, source);

    private static bool HasTokenAlone(ClrType? type, ulong address, bool isInside, ClrObject source)
    {
        if (type is null || source.Type is null || !TokenSources.Is(source.Type))
        {
            return false;
        }

        bool hasToken = false;
        foreach (ClrInstanceField field in type.Fields.Take(MostFields))
        {
            if (field.IsObjectReference && field.ReadObject(address, isInside).Address == source.Address)
            {
                return false;
            }

            hasToken = hasToken || (field.Type is { Name: Token } token
                && token.GetFieldByName("_source")?.ReadObject(field.GetAddress(address, isInside), interior: true).Address
                    == source.Address);
        }

        return hasToken;
    }
}
