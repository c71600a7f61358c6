using HangTriage.Capture.Windows.Files;
using HangTriage.Facts;

namespace HangTriage.Capture.Windows.Images;

/// <summary>The images of a process by address.</summary>
internal sealed class ImageMap
{
    private readonly ModuleIndex _index;
    private readonly Image[] _images;

    /// <param name="modules">The modules.</param>
    /// <param name="memory">The target's memory.</param>
    /// <param name="limits">Bounds on what an image states.</param>
    /// <param name="pdbs">Where names come from beside exports; null for nowhere.</param>
    /// <param name="functions">Names that go before those; null for none.</param>
    public ImageMap(
        IReadOnlyList<ModuleFacts> modules, TargetMemory memory, CaptureLimits limits, PdbFiles? pdbs = null, IFunctionNamer? functions = null)
    {
        _index = new ModuleIndex(modules);
        _images = [.. _index.All.Select(module => new Image(module, memory, limits, pdbs, functions))];
    }

    public IReadOnlyList<Image> All => _images;

    /// <summary>The image that holds an address; null outside every one. Of images that overlap, the one that starts highest.</summary>
    public Image? Find(ulong address) => _index.Find(address) is int index and >= 0 ? _images[index] : null;
}
