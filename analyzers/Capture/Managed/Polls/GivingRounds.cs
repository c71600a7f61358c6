using HangTriage.Capture.Managed.Code;

namespace HangTriage.Capture.Managed.Polls;

/// <summary>Who goes round a loop, and comes to certain instructions in each round.</summary>
internal static class GivingRounds
{
    /// <param name="levels">The methods that it is in, from the innermost out: what is around one counts if that only returns.</param>
    /// <param name="sure">The instructions.</param>
    public static bool Give(IReadOnlyList<CodeLevel> levels, SureCalls sure)
    {
        foreach ((IlModule module, int method, int? place) in levels)
        {
            if (place is not { } at)
            {
                return false;
            }

            if (RoundCalls.Comes(sure, module, method, at))
            {
                return true;
            }

            if (sure.Comes(module, method, at) is { } comes)
            {
                return comes;
            }
        }

        return false;
    }
}
