using System.Collections.Immutable;
using System.Reflection.Metadata;

namespace HangTriage.Tests.EndToEnd.Layers;

/// <summary>The types of the assembly itself that a signature names, at any depth.</summary>
internal sealed class SignatureTypes : ISignatureTypeProvider<ImmutableHashSet<TypeDefinitionHandle>, object?>
{
    private static readonly ImmutableHashSet<TypeDefinitionHandle> s_none = [];

    public ImmutableHashSet<TypeDefinitionHandle> GetTypeFromDefinition(MetadataReader reader, TypeDefinitionHandle handle, byte rawTypeKind) => [handle];

    public ImmutableHashSet<TypeDefinitionHandle> GetTypeFromReference(MetadataReader reader, TypeReferenceHandle handle, byte rawTypeKind) => s_none;

    public ImmutableHashSet<TypeDefinitionHandle> GetTypeFromSpecification(
        MetadataReader reader, object? genericContext, TypeSpecificationHandle handle, byte rawTypeKind)
        => reader.GetTypeSpecification(handle).DecodeSignature(this, genericContext);

    public ImmutableHashSet<TypeDefinitionHandle> GetGenericInstantiation(
        ImmutableHashSet<TypeDefinitionHandle> genericType, ImmutableArray<ImmutableHashSet<TypeDefinitionHandle>> typeArguments)
        => genericType.Union(Joined(typeArguments));

    public ImmutableHashSet<TypeDefinitionHandle> GetFunctionPointerType(MethodSignature<ImmutableHashSet<TypeDefinitionHandle>> signature)
        => Of(signature);

    public ImmutableHashSet<TypeDefinitionHandle> GetModifiedType(
        ImmutableHashSet<TypeDefinitionHandle> modifier, ImmutableHashSet<TypeDefinitionHandle> unmodifiedType, bool isRequired)
        => unmodifiedType.Union(modifier);

    public ImmutableHashSet<TypeDefinitionHandle> GetArrayType(ImmutableHashSet<TypeDefinitionHandle> elementType, ArrayShape shape) => elementType;

    public ImmutableHashSet<TypeDefinitionHandle> GetByReferenceType(ImmutableHashSet<TypeDefinitionHandle> elementType) => elementType;

    public ImmutableHashSet<TypeDefinitionHandle> GetPinnedType(ImmutableHashSet<TypeDefinitionHandle> elementType) => elementType;

    public ImmutableHashSet<TypeDefinitionHandle> GetPointerType(ImmutableHashSet<TypeDefinitionHandle> elementType) => elementType;

    public ImmutableHashSet<TypeDefinitionHandle> GetSZArrayType(ImmutableHashSet<TypeDefinitionHandle> elementType) => elementType;

    public ImmutableHashSet<TypeDefinitionHandle> GetPrimitiveType(PrimitiveTypeCode typeCode) => s_none;

    public ImmutableHashSet<TypeDefinitionHandle> GetGenericMethodParameter(object? genericContext, int index) => s_none;

    public ImmutableHashSet<TypeDefinitionHandle> GetGenericTypeParameter(object? genericContext, int index) => s_none;

    public static ImmutableHashSet<TypeDefinitionHandle> Of(MethodSignature<ImmutableHashSet<TypeDefinitionHandle>> signature)
        => signature.ReturnType.Union(Joined(signature.ParameterTypes));

    public static ImmutableHashSet<TypeDefinitionHandle> Joined(IEnumerable<ImmutableHashSet<TypeDefinitionHandle>> sets)
        => sets.Aggregate(s_none, (all, set) => all.Union(set));
}
