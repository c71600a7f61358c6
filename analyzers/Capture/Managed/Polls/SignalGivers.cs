using HangTriage.Facts.Calls;

namespace HangTriage.Capture.Managed.Polls;

/// <summary>Who can still come to a call that ends waits of a kind.</summary>
internal sealed class SignalGivers(CodeUsers users)
{
    private readonly Dictionary<SignalFamily, CodeUse> _known = [];

    /// <returns>Null where anybody may.</returns>
    public CodeUse? Of(SignalFamily family)
    {
        if (!_known.TryGetValue(family, out CodeUse? use))
        {
            use = Search(family);
            _known.Add(family, use);
        }

        return use.IsOpen ? null : use;
    }

    private CodeUse Search(SignalFamily family)
        => users.Graph.Signals.MethodsOf(family) is { } methods
            ? users.Of(methods, methods, (module, _, instruction) => users.Graph.Signals.Gives(module, instruction, family))
            : CodeUse.Open;
}
