using System.Collections.Immutable;
using System.Reflection.Metadata;

namespace HangTriage.Tests.DotnetDump;

/// <summary>Types of a signature as text, custom modifiers included: a setter that is init-only has another signature than one that is not.</summary>
internal sealed class SignatureText : ISignatureTypeProvider<string, object?>
{
    public static SignatureText Instance { get; } = new();

    public static string NameOf(MetadataReader metadata, TypeDefinition type)
        => type.IsNested
            ? $"{NameOf(metadata, metadata.GetTypeDefinition(type.GetDeclaringType()))}+{metadata.GetString(type.Name)}"
            : Full(metadata.GetString(type.Namespace), metadata.GetString(type.Name));

    public static string NameOf(MetadataReader metadata, TypeReference type)
        => type.ResolutionScope.Kind == HandleKind.TypeReference
            ? $"{NameOf(metadata, metadata.GetTypeReference((TypeReferenceHandle)type.ResolutionScope))}+{metadata.GetString(type.Name)}"
            : Full(metadata.GetString(type.Namespace), metadata.GetString(type.Name));

    public string GetPrimitiveType(PrimitiveTypeCode typeCode) => typeCode.ToString();

    public string GetTypeFromDefinition(MetadataReader reader, TypeDefinitionHandle handle, byte rawTypeKind) => NameOf(reader, reader.GetTypeDefinition(handle));

    public string GetTypeFromReference(MetadataReader reader, TypeReferenceHandle handle, byte rawTypeKind) => NameOf(reader, reader.GetTypeReference(handle));

    public string GetTypeFromSpecification(MetadataReader reader, object? genericContext, TypeSpecificationHandle handle, byte rawTypeKind)
        => reader.GetTypeSpecification(handle).DecodeSignature(this, genericContext);

    public string GetSZArrayType(string elementType) => elementType + "[]";

    public string GetArrayType(string elementType, ArrayShape shape) => $"{elementType}[{shape.Rank}]";

    public string GetByReferenceType(string elementType) => elementType + "&";

    public string GetPointerType(string elementType) => elementType + "*";

    public string GetPinnedType(string elementType) => elementType;

    public string GetGenericInstantiation(string genericType, ImmutableArray<string> typeArguments) => $"{genericType}<{string.Join(", ", typeArguments)}>";

    public string GetGenericMethodParameter(object? genericContext, int index) => $"!!{index}";

    public string GetGenericTypeParameter(object? genericContext, int index) => $"!{index}";

    public string GetFunctionPointerType(MethodSignature<string> signature) => $"*({string.Join(", ", signature.ParameterTypes)})";

    public string GetModifiedType(string modifier, string unmodifiedType, bool isRequired) => isRequired ? $"{unmodifiedType} modreq({modifier})" : unmodifiedType;

    private static string Full(string space, string name) => space.Length == 0 ? name : $"{space}.{name}";
}
