using System.Reflection;
using System.Reflection.Metadata;
using System.Reflection.PortableExecutable;

namespace HangTriage.Tests.DotnetDump;

/// <summary>The types and members of assemblies as lines of text, by which what one asks for is compared with what another has.</summary>
internal static class Surface
{
    /// <summary>Every public type, method and field that an assembly declares.</summary>
    public static HashSet<string> Declared(string path)
    {
        using PEReader file = new(File.OpenRead(path));
        MetadataReader metadata = file.GetMetadataReader();
        HashSet<string> lines = [];
        foreach (TypeDefinition type in metadata.TypeDefinitions.Select(metadata.GetTypeDefinition).Where(type => IsPublic(metadata, type)))
        {
            string name = SignatureText.NameOf(metadata, type);
            lines.Add(name);
            lines.UnionWith(type.GetMethods().Select(metadata.GetMethodDefinition)
                .Where(method => (method.Attributes & MethodAttributes.MemberAccessMask) is MethodAttributes.Public or MethodAttributes.Family)
                .Select(method => Method(name, metadata.GetString(method.Name), method.DecodeSignature(SignatureText.Instance, null))));
            lines.UnionWith(type.GetFields().Select(metadata.GetFieldDefinition)
                .Where(field => (field.Attributes & FieldAttributes.FieldAccessMask) is FieldAttributes.Public or FieldAttributes.Family)
                .Select(field => Field(name, metadata.GetString(field.Name), field.DecodeSignature(SignatureText.Instance, null))));
        }

        return lines;
    }

    /// <summary>Every type, method and field of another assembly that an assembly refers to.</summary>
    public static HashSet<string> Used(string path, string assembly)
    {
        using PEReader file = new(File.OpenRead(path));
        MetadataReader metadata = file.GetMetadataReader();
        HashSet<string> lines = [];
        foreach (TypeReference type in metadata.TypeReferences.Select(metadata.GetTypeReference).Where(type => IsOf(metadata, type, assembly)))
        {
            lines.Add(SignatureText.NameOf(metadata, type));
        }

        foreach (MemberReference member in metadata.MemberReferences.Select(metadata.GetMemberReference))
        {
            if (Parent(metadata, member) is { } parent && IsOf(metadata, parent, assembly))
            {
                string type = SignatureText.NameOf(metadata, parent);
                string name = metadata.GetString(member.Name);
                lines.Add(member.GetKind() == MemberReferenceKind.Method
                    ? Method(type, name, member.DecodeMethodSignature(SignatureText.Instance, null))
                    : Field(type, name, member.DecodeFieldSignature(SignatureText.Instance, null)));
            }
        }

        return lines;
    }

    /// <summary>Every field and property that an attribute of another assembly is given by name, as "Type.Name field" or "... property".</summary>
    public static HashSet<string> NamedArguments(Assembly extension, string assembly)
        => [.. extension.GetTypes()
            .SelectMany(type => new MemberInfo[] { type }.Concat(type.GetMembers(BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Instance | BindingFlags.Static | BindingFlags.DeclaredOnly)))
            .SelectMany(member => member.GetCustomAttributesData())
            .Where(attribute => attribute.AttributeType.Assembly.GetName().Name == assembly)
            .SelectMany(attribute => attribute.NamedArguments, (attribute, argument) => $"{attribute.AttributeType.Name}.{argument.MemberName} {(argument.IsField ? "field" : "property")}")];

    private static bool IsPublic(MetadataReader metadata, TypeDefinition type)
        => (type.Attributes & TypeAttributes.VisibilityMask) switch
        {
            TypeAttributes.Public => true,
            TypeAttributes.NestedPublic => IsPublic(metadata, metadata.GetTypeDefinition(type.GetDeclaringType())),
            _ => false,
        };

    private static TypeReference? Parent(MetadataReader metadata, MemberReference member)
    {
        EntityHandle parent = member.Parent;
        if (parent.Kind == HandleKind.TypeSpecification)
        {
            parent = GenericType(metadata, (TypeSpecificationHandle)parent);
        }

        return parent.Kind == HandleKind.TypeReference ? metadata.GetTypeReference((TypeReferenceHandle)parent) : null;
    }

    // ELEMENT_TYPE_GENERICINST, then class or value type, then the generic type's token.
    private static EntityHandle GenericType(MetadataReader metadata, TypeSpecificationHandle handle)
    {
        BlobReader blob = metadata.GetBlobReader(metadata.GetTypeSpecification(handle).Signature);
        return blob.ReadSignatureTypeCode() == SignatureTypeCode.GenericTypeInstance && blob.ReadCompressedInteger() > 0 ? blob.ReadTypeHandle() : default;
    }

    private static bool IsOf(MetadataReader metadata, TypeReference type, string assembly)
        => type.ResolutionScope.Kind switch
        {
            HandleKind.AssemblyReference => metadata.GetString(metadata.GetAssemblyReference((AssemblyReferenceHandle)type.ResolutionScope).Name) == assembly,
            HandleKind.TypeReference => IsOf(metadata, metadata.GetTypeReference((TypeReferenceHandle)type.ResolutionScope), assembly),
            _ => false,
        };

    private static string Method(string type, string name, MethodSignature<string> signature)
        => $"{type}.{name}({string.Join(", ", signature.ParameterTypes)}) : {signature.ReturnType}{(signature.Header.IsInstance ? "" : " static")}";

    private static string Field(string type, string name, string fieldType) => $"{type}.{name} : {fieldType}";
}
