using System.Globalization;

namespace HangTriage.Capture.Windows.Files;

/// <summary>Files that no place of the symbol path has, put into one clause: a process has hundreds of modules.</summary>
internal sealed class MissingFiles
{
    private const int Shown = 16;

    private readonly List<string> _names = [];

    public bool IsEmpty => _names.Count == 0;

    public void Add(string name) => _names.Add(name);

    public override string ToString()
        => string.Create(
            CultureInfo.InvariantCulture,
            $"the symbol path has none for {string.Join(", ", _names.Take(Shown))}{(_names.Count > Shown ? $" and {_names.Count - Shown} more" : "")}");
}
