using System.Globalization;

namespace HangTriage.Traces.Timeline;

/// <summary>What lies where in a process: images, and methods that its runtime compiled.</summary>
internal sealed class ImageMap
{
    public PieceList Images { get; } = new();

    public PieceList Methods { get; } = new();

    /// <summary>"Namespace.Method", or "module+0x1234"; null where nothing is known of the address.</summary>
    public string? Find(ulong ip)
        => Methods.Find(ip) is { } method ? method.Name
            : Images.Find(ip) is { } image ? string.Create(CultureInfo.InvariantCulture, $"{image.Name}+0x{image.Offset:x}")
            : null;
}
