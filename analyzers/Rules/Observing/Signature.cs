using HangTriage.Facts;
using HangTriage.Rules.Claims;
using HangTriage.Rules.Threads;

namespace HangTriage.Rules.Observing;

/// <summary>
/// Makes signatures of stacks and methods. Of each stack the innermost frames of the program's own count: how a wait gets from
/// there to the system differs between runtimes and kinds of dumps. A stack without any is told by its innermost frames.
/// <see cref="FrameName"/> has how each frame is written.
/// </summary>
internal static class Signature
{
    public static HangSignature Of(RuleInfo rule, params IEnumerable<IEnumerable<FrameFacts>> stacks) => Of(rule.Id, stacks);

    /// <param name="pattern">What was seen, where no rule did.</param>
    /// <param name="stacks">The stacks that tell.</param>
    public static HangSignature Of(string pattern, params IEnumerable<IEnumerable<FrameFacts>> stacks)
        => HangSignature.Of(pattern, stacks.Select(Of));

    /// <param name="rule">Whose pattern it is.</param>
    /// <param name="stacks">The stacks of threads.</param>
    /// <param name="methods">Methods of async flows.</param>
    public static HangSignature Of(RuleInfo rule, IEnumerable<IEnumerable<FrameFacts>> stacks, IEnumerable<string> methods)
        => HangSignature.Of(rule.Id, stacks.Select(Of).Concat(methods.Select(method => (IReadOnlyList<string>)[FrameName.OfMethod(method)])));

    public static HangSignature OfMethods(RuleInfo rule, params IEnumerable<string> methods) => Of(rule, [], methods);

    private static IReadOnlyList<string> Of(IEnumerable<FrameFacts> stack)
    {
        FrameFacts[] frames = [.. stack.Where(frame => frame.Kind != FrameKind.Runtime && !UserCode.IsStub(frame))];
        FrameFacts[] own = [.. frames.Where(IsOwn)];
        List<string> names = [];
        foreach (string name in (own.Length > 0 ? own : Telling(frames)).Select(FrameName.Of))
        {
            if (names.Count == 0 || names[^1] != name)
            {
                names.Add(name);
            }

            if (names.Count == Thresholds.FramesOfSignature)
            {
                break;
            }
        }

        return names.Count > 0 ? names : ["?"];
    }

    private static bool IsOwn(FrameFacts frame)
        => frame.Kind == FrameKind.Native ? frame.Module is not null && !NativeCalls.IsWayOut(frame) && !FrameName.IsOfSystem(frame) : UserCode.IsManaged(frame);

    // How a managed call reaches the system differs from system to system, and is not seen on each.
    private static IEnumerable<FrameFacts> Telling(IEnumerable<FrameFacts> stack)
        => stack.SkipWhile(NativeCalls.IsWayOut) is var rest && rest.FirstOrDefault() is { Kind: FrameKind.Managed } ? rest : stack;
}
