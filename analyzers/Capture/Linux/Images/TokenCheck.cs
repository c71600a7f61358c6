using System.Reflection.Metadata;
using System.Reflection.Metadata.Ecma335;
using System.Reflection.PortableExecutable;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Linux.Images;

/// <summary>
/// Compares an assembly's file with the types that the process had loaded of it. Memory says by number which methods belong
/// to which type, and the file's tables say it again; in another build of the assembly the numbers have moved.
/// </summary>
internal static class TokenCheck
{
    private const int MostTypes = 128;
    private const int MostMethods = 32;

    /// <summary>False where they contradict each other. True too where no type is loaded, and so none will be named.</summary>
    public static bool Agrees(ClrModule module, string path)
    {
        try
        {
            using PEReader file = new(File.OpenRead(path));
            MetadataReader metadata = file.GetMetadataReader();
            return module.EnumerateTypeDefToMethodTableMap()
                .Take(MostTypes)
                .All(type => MethodsOf(module.AppDomain.Runtime, type.MethodTable).All(method => Declares(metadata, type.Token, method)));
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or BadImageFormatException or InvalidOperationException)
        {
            return false;
        }
    }

    // A type lists what it inherits, too; the method itself says where it belongs.
    private static IEnumerable<int> MethodsOf(ClrRuntime runtime, ulong methodTable)
        => runtime.GetTypeByMethodTable(methodTable) is { } type
            ? type.Methods.Take(MostMethods)
                .Select(method => runtime.GetMethodByHandle(method.MethodDesc))
                .Where(method => method?.Type?.MethodTable == methodTable)
                .Select(method => method!.MetadataToken)
            : [];

    private static bool Declares(MetadataReader metadata, int type, int method)
    {
        EntityHandle handle = MetadataTokens.EntityHandle(method);
        return handle.Kind == HandleKind.MethodDefinition
            && MetadataTokens.GetRowNumber(handle) is int row && row > 0 && row <= metadata.GetTableRowCount(TableIndex.MethodDef)
            && MetadataTokens.GetToken(metadata.GetMethodDefinition((MethodDefinitionHandle)handle).GetDeclaringType()) == type;
    }
}
