using System.Globalization;
using HangTriage.Facts;

namespace HangTriage.Tests.Support;

/// <summary>Reads frames as debuggers write them.</summary>
internal static class FrameParser
{
    public static FrameFacts Parse(string text, int depth, Trust trust)
    {
        FrameFacts frame = new()
        {
            Ip = new Address(0x7ffc_0000_0000 + (0x1000 * (ulong)depth)),
            Sp = new Address(0x2f_f000 + (0x40 * (ulong)depth)),
            Kind = FrameKind.Managed,
            Trust = trust,
            Method = text,
        };
        if (text.StartsWith('[') && text.EndsWith(']'))
        {
            return frame with { Kind = FrameKind.Runtime, Method = text[1..^1] };
        }

        (string name, ulong? offset) = SplitOffset(text);
        string[] parts = name.Split('!', 2);
        return (parts.Length, offset) switch
        {
            (2, _) => frame with { Kind = FrameKind.Native, Module = parts[0] + ".dll", Method = parts[1], MethodOffset = offset, ModuleOffset = 0x1000 },
            (1, { }) => frame with { Kind = FrameKind.Native, Module = name + ".dll", Method = null, ModuleOffset = offset },
            _ => frame,
        };
    }

    private static (string Name, ulong? Offset) SplitOffset(string text)
        => text.LastIndexOf("+0x", StringComparison.Ordinal) is int at and >= 0
            && ulong.TryParse(text.AsSpan(at + 3), NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out ulong offset)
                ? (text[..at], offset)
                : (text, null);
}
