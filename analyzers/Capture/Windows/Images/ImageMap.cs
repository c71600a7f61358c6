using HangTriage.Facts;

namespace HangTriage.Capture.Windows.Images;

/// <summary>The images of a process by address.</summary>
internal sealed class ImageMap
{
    private const ulong HighestBase = ulong.MaxValue - (1UL << 34);

    private readonly Image[] _images;
    private readonly ulong[] _bases;

    public ImageMap(IReadOnlyList<ModuleFacts> modules, TargetMemory memory, CaptureLimits limits)
    {
        List<Image> images = new(modules.Count);
        foreach (ModuleFacts module in modules)
        {
            // So that no address within an image wraps around; no image of Windows lies there or is that large.
            if (module.Base.Value <= HighestBase && module.Size <= uint.MaxValue)
            {
                images.Add(new Image(module, memory, limits));
            }
        }

        images.Sort(static (a, b) => a.Base.CompareTo(b.Base));
        _images = [.. images];
        _bases = new ulong[_images.Length];
        for (int i = 0; i < _images.Length; i++)
        {
            _bases[i] = _images[i].Base;
        }
    }

    public IReadOnlyList<Image> All => _images;

    /// <summary>The image that holds an address; null outside every one. Of images that overlap, the one that starts highest.</summary>
    public Image? Find(ulong address)
    {
        int index = Array.BinarySearch(_bases, address);
        index = index < 0 ? ~index - 1 : index;
        return index >= 0 && address - _bases[index] < _images[index].Module.Size ? _images[index] : null;
    }
}
