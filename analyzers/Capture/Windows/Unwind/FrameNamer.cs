using HangTriage.Capture.Windows.Images;
using HangTriage.Facts;

namespace HangTriage.Capture.Windows.Unwind;

/// <summary>Makes the facts of a frame: its module, and its function where the image's exports name it.</summary>
internal sealed class FrameNamer
{
    private readonly ImageMap _images;

    public FrameNamer(ImageMap images) => _images = images;

    /// <param name="ip">The instruction pointer.</param>
    /// <param name="sp">The stack pointer.</param>
    /// <param name="isReturnAddress">The function is the one before <paramref name="ip"/>, which made the call.</param>
    /// <param name="trust">How the frame was found.</param>
    public FrameFacts Describe(ulong ip, ulong sp, bool isReturnAddress, Trust trust)
    {
        ulong within = isReturnAddress ? unchecked(ip - 1) : ip;
        FrameFacts frame = new() { Ip = new Address(ip), Sp = new Address(sp), Kind = FrameKind.Unknown, Trust = trust };
        if (_images.Find(within) is not { } image)
        {
            return frame;
        }

        bool isNamed = image.TryName(image.Rva(within), out string name, out uint start);
        ulong offset = ip - image.Base;
        return frame with
        {
            Kind = FrameKind.Native,
            Module = image.Module.Name,
            ModuleOffset = offset,
            Method = isNamed ? name : null,
            MethodOffset = isNamed && start <= offset ? offset - start : null,
        };
    }
}
