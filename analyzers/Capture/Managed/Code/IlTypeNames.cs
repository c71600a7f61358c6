using System.Collections.Immutable;
using System.Reflection.Metadata;

namespace HangTriage.Capture.Managed.Code;

/// <summary>Writes what generic types are made of, so that one is the same in every module. What stands for any type is "*".</summary>
internal sealed class IlTypeNames(Func<EntityHandle, string> name) : ISignatureTypeProvider<string, object?>
{
    public const string Any = "*";

    public string GetArrayType(string elementType, ArrayShape shape) => elementType + "[,]";

    public string GetByReferenceType(string elementType) => elementType + "&";

    public string GetFunctionPointerType(MethodSignature<string> signature) => "method";

    public string GetGenericInstantiation(string genericType, ImmutableArray<string> typeArguments) => $"{genericType}<{string.Join(',', typeArguments)}>";

    public string GetGenericMethodParameter(object? genericContext, int index) => Any;

    public string GetGenericTypeParameter(object? genericContext, int index) => Any;

    public string GetModifiedType(string modifier, string unmodifiedType, bool isRequired) => unmodifiedType;

    public string GetPinnedType(string elementType) => elementType;

    public string GetPointerType(string elementType) => elementType + "*";

    public string GetPrimitiveType(PrimitiveTypeCode typeCode) => typeCode.ToString();

    public string GetSZArrayType(string elementType) => elementType + "[]";

    public string GetTypeFromDefinition(MetadataReader reader, TypeDefinitionHandle handle, byte rawTypeKind) => name(handle);

    public string GetTypeFromReference(MetadataReader reader, TypeReferenceHandle handle, byte rawTypeKind) => name(handle);

    public string GetTypeFromSpecification(MetadataReader reader, object? genericContext, TypeSpecificationHandle handle, byte rawTypeKind) => Any;
}
