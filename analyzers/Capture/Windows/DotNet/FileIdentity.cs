using HangTriage.Capture.Windows.Files;

namespace HangTriage.Capture.Windows.DotNet;

/// <summary>What names a build of a PE image: the header's time stamp, and the size in memory in bytes.</summary>
internal sealed record FileIdentity(uint TimeDateStamp, uint SizeOfImage)
{
    /// <summary>Null where the file is not there or is no image.</summary>
    public static FileIdentity? Of(string path, CaptureLimits limits)
    {
        if (!File.Exists(path))
        {
            return null;
        }

        using ImageFile? image = ImageFile.Open(path, limits.SymbolFileBytes, out _);
        return image is null ? null : new FileIdentity(image.TimeDateStamp, image.SizeOfImage);
    }

    /// <summary>As a symbol store writes it.</summary>
    public override string ToString() => $"{TimeDateStamp:X8}{SizeOfImage:x}";
}
