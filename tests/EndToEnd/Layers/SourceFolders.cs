using System.Text.RegularExpressions;

namespace HangTriage.Tests.EndToEnd.Layers;

/// <summary>The folder of each type under a folder of sources, from what its files declare.</summary>
internal sealed partial class SourceFolders
{
    /// <summary>What the top folder is called.</summary>
    public const string Top = ".";

    private readonly Dictionary<(string Namespace, string Name), string> _folders = [];

    public SourceFolders(string root)
    {
        foreach (string file in Directory.GetFiles(root, "*.cs", SearchOption.AllDirectories))
        {
            string text = File.ReadAllText(file);
            string folder = Path.GetRelativePath(root, Path.GetDirectoryName(file)!).Replace(Path.DirectorySeparatorChar, '/');
            string space = NamespaceLine().Match(text).Groups[1].Value;
            foreach (Match type in TypeLine().Matches(text))
            {
                _folders[(space, type.Groups[1].Value)] = folder;
            }
        }
    }

    /// <summary>Null for a type that no file declares: one that the compiler or a generator made.</summary>
    public string? Find(string space, string name) => _folders.GetValueOrDefault((space, name.Split('`')[0]));

    /// <summary>Each namespace with the folders of its files.</summary>
    public ILookup<string, string> Namespaces => _folders.Select(type => (type.Key.Namespace, Folder: type.Value)).Distinct().ToLookup(pair => pair.Namespace, pair => pair.Folder);

    [GeneratedRegex(@"^namespace ([\w.]+);", RegexOptions.Multiline)]
    private static partial Regex NamespaceLine();

    /// <summary>A type that is in no other one: it starts at the margin.</summary>
    [GeneratedRegex(@"^(?:(?:public|internal|file|sealed|static|abstract|partial|readonly|ref|unsafe|record) )*(?:class|struct|interface|enum|record|delegate [\w<>?]+) (\w+)", RegexOptions.Multiline)]
    private static partial Regex TypeLine();
}
