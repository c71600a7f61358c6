using System.Globalization;
using HangTriage.Facts;

namespace HangTriage.Tests.Support.Facts;

/// <summary>
/// Reads frames as debuggers write them: "module!method+0x14" (0x14 where no offset is given), "module+0x10", "module!" for a
/// place in a module of unknown offset, "Type.Method" for managed ones, "[Marker]" for the runtime's own.
/// </summary>
internal static class FrameParser
{
    private const ulong UsualOffset = 0x14;

    public static FrameFacts Parse(string text, int depth)
    {
        FrameFacts frame = new()
        {
            Ip = new Address(0x7ffd_0001_0000 + (0x100 * (ulong)depth)),
            Sp = new Address(0x1000 + (0x40 * (ulong)depth)),
            Kind = FrameKind.Managed,
            Trust = depth == 0 ? Trust.Read : Trust.Derived,
            Module = "app.dll",
            Method = text,
        };
        if (text.StartsWith('[') && text.EndsWith(']'))
        {
            return frame with { Kind = FrameKind.Runtime, Module = null };
        }

        (string name, ulong? offset) = SplitOffset(text);
        ulong place = 0x10000 + (0x100 * (ulong)depth);
        return (name.Split('!', 2), offset) switch
        {
            ([var module, ""], _) => frame with { Kind = FrameKind.Native, Module = module + ".dll", Method = null, ModuleOffset = place },
            ([var module, var method], _) => frame with { Kind = FrameKind.Native, Module = module + ".dll", Method = method, MethodOffset = offset ?? UsualOffset, ModuleOffset = place },
            (_, { }) => frame with { Kind = FrameKind.Native, Module = name + ".dll", Method = null, ModuleOffset = offset },
            _ => frame,
        };
    }

    private static (string Name, ulong? Offset) SplitOffset(string text)
        => text.LastIndexOf("+0x", StringComparison.Ordinal) is int at and >= 0
            && ulong.TryParse(text.AsSpan(at + 3), NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out ulong offset)
                ? (text[..at], offset)
                : (text, null);
}
