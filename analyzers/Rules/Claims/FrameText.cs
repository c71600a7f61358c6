using System.Globalization;
using HangTriage.Facts;

namespace HangTriage.Rules.Claims;

/// <summary>Writes frames as debuggers do: module!method+0x12, or module+0x1234 where nothing names them.</summary>
public static class FrameText
{
    public static string Of(FrameFacts frame)
    {
        ArgumentNullException.ThrowIfNull(frame);
        string? module = frame.Module is { } name ? Path.GetFileNameWithoutExtension(name) : null;
        return (frame.Kind, module, frame.Method) switch
        {
            (FrameKind.Runtime, _, { } marker) => $"[{marker.Trim('[', ']')}]",
            (FrameKind.Managed, _, { } method) => frame.Source is { } source ? $"{method} ({source})" : method,
            (_, { } image, { } method) => $"{image}!{method}{Offset(frame.MethodOffset)}",
            (_, { } image, null) => $"{image}{Offset(frame.ModuleOffset)}",
            (_, null, { } method) => method,
            _ => frame.Ip.ToString(),
        };
    }

    private static string Offset(ulong? offset)
        => offset is null or 0 ? string.Empty : "+0x" + offset.Value.ToString("x", CultureInfo.InvariantCulture);
}
