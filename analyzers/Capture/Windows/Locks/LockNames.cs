using HangTriage.Capture.Windows.Images;
using HangTriage.Facts;

namespace HangTriage.Capture.Windows.Locks;

/// <summary>Names locks that have no name of their own.</summary>
internal static class LockNames
{
    /// <summary>By the module whose data the lock lies in: "app.exe+0xd080".</summary>
    public static Known<string> ByPlace(ImageMap images, ulong address)
        => images.Find(address) is { } image
            ? Known.Derived($"{image.Module.Name}+0x{image.Rva(address):x}")
            : Known.Unknown<string>("name", "it lies in no module's data");
}
