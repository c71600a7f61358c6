using HangTriage.Facts;
using HangTriage.Rules.Threads;

namespace HangTriage.Rules.Observing;

/// <summary>Names a hang so that the same one on another machine gets the same name: rule and frames, without addresses, offsets and ids.</summary>
internal static class Signature
{
    public static string Of(RuleInfo rule, params IEnumerable<IEnumerable<FrameFacts>> stacks) => Of(rule.Id, stacks);

    /// <param name="pattern">What was seen, where no rule did.</param>
    /// <param name="stacks">The stacks that tell.</param>
    public static string Of(string pattern, params IEnumerable<IEnumerable<FrameFacts>> stacks)
        => pattern + string.Concat(stacks.Select(stack => "/" + Of(stack)).Order(StringComparer.Ordinal));

    private static string Of(IEnumerable<FrameFacts> stack)
    {
        List<string> parts = [];
        foreach (FrameFacts frame in Telling(stack.Where(frame => frame.Kind != FrameKind.Runtime && !UserCode.IsStub(frame))))
        {
            string part = Part(frame);
            if (parts.Count == 0 || parts[^1] != part)
            {
                parts.Add(part);
            }

            if (parts.Count == Thresholds.FramesOfSignature)
            {
                break;
            }
        }

        return string.Join('<', parts);
    }

    // How a managed call reaches the system differs from system to system, and is not seen on each.
    private static IEnumerable<FrameFacts> Telling(IEnumerable<FrameFacts> stack)
        => stack.SkipWhile(NativeCalls.IsWayOut) is var rest && rest.FirstOrDefault() is { Kind: FrameKind.Managed } ? rest : stack;

    private static string Part(FrameFacts frame)
    {
        string? module = frame.Module is { } name ? Path.GetFileNameWithoutExtension(name).ToLowerInvariant() : null;
        return (frame.Kind, module, frame.Method) switch
        {
            (FrameKind.Managed, _, { } method) => method,
            (_, { } image, { } method) => $"{image}!{method}",
            (_, { } image, null) => image,
            _ => "?",
        };
    }
}
