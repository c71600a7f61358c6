using HangTriage.Capture.Symbols;
using HangTriage.Facts;

namespace HangTriage.Capture.Windows.Files;

/// <summary>
/// What image files say of memory that the target does not have. A file is looked for when its module's memory is first
/// missed, and taken only where time stamp, size and machine are the module's.
/// </summary>
internal sealed class ImageFiles : IDisposable
{
    private readonly ModuleIndex _modules;
    private readonly ImageFile?[] _files;
    private readonly bool[] _isSearched;
    private readonly ushort _machine;
    private readonly SymbolFinder _finder;
    private readonly long _maxBytes;
    private readonly MissingFiles _missing = new();
    private readonly List<Gap> _problems = [];

    public ImageFiles(IReadOnlyList<ModuleFacts> modules, TargetArchitecture architecture, SymbolFinder finder, CaptureLimits limits)
    {
        _modules = new ModuleIndex(modules);
        _files = new ImageFile?[_modules.All.Count];
        _isSearched = new bool[_modules.All.Count];
        _machine = architecture switch
        {
            TargetArchitecture.X86 => 0x14C,
            TargetArchitecture.Arm => 0x1C4,
            TargetArchitecture.Arm64 => 0xAA64,
            _ => 0x8664,
        };
        _finder = finder;
        _maxBytes = limits.SymbolFileBytes;
    }

    /// <summary>Images that were looked for and not found.</summary>
    public IReadOnlyList<Gap> Gaps => _missing.IsEmpty ? _problems : [.. _problems, new Gap("image files", _missing.ToString())];

    /// <summary>Copies up to the first byte that no image file says.</summary>
    /// <exception cref="OperationCanceledException">The capture was cancelled.</exception>
    public int Read(ulong address, Span<byte> buffer)
    {
        int index = _modules.Find(address);
        if (index < 0)
        {
            return 0;
        }

        if (!_isSearched[index])
        {
            _isSearched[index] = true;
            _files[index] = Find(_modules.All[index]);
        }

        return _files[index]?.Read((uint)(address - _modules.All[index].Base.Value), buffer) ?? 0;
    }

    public void Dispose()
    {
        foreach (ImageFile? file in _files)
        {
            file?.Dispose();
        }
    }

    private ImageFile? Find(ModuleFacts module)
    {
        string why = "the target does not say of which time it is";
        if (module.TimeDateStamp is { } stamp)
        {
            why = "its name is none of a file";
            if (SymbolKey.TryOfImage(module.Name, stamp, (uint)module.Size, out SymbolKey key)
                && _finder.Find(key, Open, out why) is { } file)
            {
                return file;
            }
        }

        if (why == SymbolFinder.NotThere)
        {
            _missing.Add($"{module.Name} ({module.TimeDateStamp:X8}{module.Size:x})");
        }
        else
        {
            _problems.Add(new Gap($"image file of {module.Name}", why));
        }

        return null;

        ImageFile? Open(string path, out string problem)
        {
            ImageFile? image = ImageFile.Open(path, _maxBytes, out problem);
            if (image is null || (image.TimeDateStamp == stamp && image.SizeOfImage == module.Size && image.Machine == _machine))
            {
                return image;
            }

            image.Dispose();
            problem = $"the symbol path has another build of it: time stamp {image.TimeDateStamp:X8}, size 0x{image.SizeOfImage:x}, machine 0x{image.Machine:x}, "
                + $"where the process has {stamp:X8}, 0x{module.Size:x}, 0x{_machine:x}";
            return null;
        }
    }
}
