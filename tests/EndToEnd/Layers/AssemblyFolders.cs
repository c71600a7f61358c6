using System.Reflection.Metadata;
using System.Reflection.PortableExecutable;

namespace HangTriage.Tests.EndToEnd.Layers;

/// <summary>Reads from a compiled assembly which folder of its project uses which: folder by the sources' places.</summary>
internal static class AssemblyFolders
{
    public static IReadOnlyList<FolderUse> Uses(string assembly, SourceFolders folders)
    {
        using FileStream file = File.OpenRead(assembly);
        using PEReader image = new(file);
        MetadataReader metadata = image.GetMetadataReader();
        TypeUses reader = new(image, metadata);
        HashSet<FolderUse> uses = [];
        foreach (TypeDefinitionHandle handle in metadata.TypeDefinitions)
        {
            if (Place(metadata, handle, folders) is not { } from)
            {
                continue;
            }

            foreach (TypeDefinitionHandle used in reader.Of(metadata.GetTypeDefinition(handle)))
            {
                if (Place(metadata, used, folders) is { } to && to.Folder != from.Folder)
                {
                    uses.Add(new FolderUse(from.Folder, from.Name, to.Folder, to.Name));
                }
            }
        }

        return [.. uses];
    }

    /// <summary>The types under a namespace that no file declares.</summary>
    public static IReadOnlyList<string> WithoutFile(string assembly, SourceFolders folders, string rootNamespace)
    {
        using FileStream file = File.OpenRead(assembly);
        using PEReader image = new(file);
        MetadataReader metadata = image.GetMetadataReader();
        return
        [
            .. metadata.TypeDefinitions
                .Where(handle => !metadata.GetTypeDefinition(handle).IsNested && Place(metadata, handle, folders) is null)
                .Select(handle => (Namespace: metadata.GetString(metadata.GetTypeDefinition(handle).Namespace), Name: metadata.GetString(metadata.GetTypeDefinition(handle).Name)))
                .Where(type => type.Namespace.StartsWith(rootNamespace, StringComparison.Ordinal))
                .Select(type => $"{type.Namespace}.{type.Name}"),
        ];
    }

    /// <summary>The folder and name of the outermost type around a type; null for one that has no source.</summary>
    private static (string Folder, string Name)? Place(MetadataReader metadata, TypeDefinitionHandle handle, SourceFolders folders)
    {
        TypeDefinition type = metadata.GetTypeDefinition(handle);
        while (type.IsNested)
        {
            type = metadata.GetTypeDefinition(type.GetDeclaringType());
        }

        string name = metadata.GetString(type.Name);
        return folders.Find(metadata.GetString(type.Namespace), name) is { } folder ? (folder, name) : null;
    }
}
