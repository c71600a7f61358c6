using System.Reflection.Metadata;
using System.Reflection.PortableExecutable;

namespace HangTriage.Tests.EndToEnd.Layers;

/// <summary>The long methods of a project, from what the compiler noted for debuggers.</summary>
internal static class MethodLengths
{
    /// <summary>The methods with more lines than the limit between their braces, each as "File.cs:42 (57 lines)".</summary>
    /// <param name="assembly">The compiled project; its portable PDB is where the compiler put it.</param>
    /// <param name="sources">The folder of its sources: what a generator wrote is not looked at.</param>
    /// <param name="limit">The most lines.</param>
    public static IReadOnlyList<string> Above(string assembly, string sources, int limit)
    {
        const int braces = 2;
        using PEReader image = new(File.OpenRead(assembly));
        MetadataReader metadata = image.GetMetadataReader();
        using MetadataReaderProvider provider = MetadataReaderProvider.FromPortablePdbStream(File.OpenRead(SymbolsOf(image)));
        MetadataReader reader = provider.GetMetadataReader();
        List<string> found = [];
        foreach (MethodDebugInformationHandle handle in reader.MethodDebugInformation.Where(handle => !IsConstructor(metadata, handle.ToDefinitionHandle())))
        {
            SequencePoint[] points = [.. reader.GetMethodDebugInformation(handle).GetSequencePoints().Where(point => !point.IsHidden)];
            string document = points.Length == 0 ? string.Empty : reader.GetString(reader.GetDocument(points[0].Document).Name);
            if (document.StartsWith(sources + Path.DirectorySeparatorChar, StringComparison.Ordinal)
                && points.Max(point => point.EndLine) - points.Min(point => point.StartLine) + 1 - braces is int lines
                && lines > limit)
            {
                found.Add($"{Path.GetFileName(document)}:{points.Min(point => point.StartLine)} ({lines} lines)");
            }
        }

        return found;
    }

    // Its lines are also those of the fields that it sets, all over the type.
    private static bool IsConstructor(MetadataReader metadata, MethodDefinitionHandle method)
        => metadata.GetString(metadata.GetMethodDefinition(method).Name) is ".ctor" or ".cctor";

    private static string SymbolsOf(PEReader image)
        => image.ReadCodeViewDebugDirectoryData(image.ReadDebugDirectory().Single(entry => entry.Type == DebugDirectoryEntryType.CodeView)).Path;
}
