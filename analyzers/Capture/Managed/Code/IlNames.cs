using System.Reflection.Metadata;
using System.Reflection.Metadata.Ecma335;

namespace HangTriage.Capture.Managed.Code;

/// <summary>Says what the tokens in a module's instructions stand for. What the tables do not have is null.</summary>
internal sealed class IlNames
{
    private const byte GenericInstance = 0x15;
    private const int MostNested = 16;

    private readonly Dictionary<int, IlMember?> _members = [];
    private readonly Dictionary<int, IlCallShape?> _shapes = [];
    private readonly MetadataReader _metadata;
    private readonly IlTypeNames _types;

    public IlNames(MetadataReader metadata)
    {
        _metadata = metadata;
        _types = new IlTypeNames(NameOf);
    }

    public IlMember? Member(int token)
    {
        if (!_members.TryGetValue(token, out IlMember? member))
        {
            member = Try(() => Read(MetadataTokens.EntityHandle(token)));
            _members.Add(token, member);
        }

        return member;
    }

    /// <summary>How many parameters the called method has; 0 where that is not known.</summary>
    public int ParametersOf(int token) => ShapeOf(token)?.Parameters.Count ?? 0;

    /// <summary>What a call of the method takes and leaves; null where that is not known.</summary>
    public IlCallShape? ShapeOf(int token)
    {
        if (!_shapes.TryGetValue(token, out IlCallShape? shape))
        {
            shape = Try(() => Shape(MetadataTokens.EntityHandle(token)));
            _shapes.Add(token, shape);
        }

        return shape;
    }

    /// <summary>The type of that token, without what a generic one is made of; null where the tables have none.</summary>
    public string? Type(int token) => Try(() => Name((TypeDefinitionHandle)MetadataTokens.EntityHandle(token), MostNested));

    /// <summary>The type of a field, as <see cref="IlTypeNames"/> has it; null where the tables do not have it.</summary>
    public string? TypeOfField(int token) => Try(() => FieldType(MetadataTokens.EntityHandle(token)));

    /// <summary>The types of a method's variables.</summary>
    /// <param name="signature">Their signature.</param>
    public IReadOnlyList<string> TypesOf(StandaloneSignatureHandle signature)
        => Try<IReadOnlyList<string>>(() => _metadata.GetStandaloneSignature(signature).DecodeLocalSignature(_types, null)) ?? [];

    /// <summary>What the type that declares the method derives from and implements, as its own row says.</summary>
    /// <param name="method">The token of a method of the module.</param>
    public TypeParents ParentsOf(int method) => Try(() => Parents(MetadataTokens.EntityHandle(method))) ?? TypeParents.None;

    private static T? Try<T>(Func<T?> read)
        where T : class
    {
        try
        {
            return read();
        }
        catch (Exception e) when (e is BadImageFormatException or ArgumentException or InvalidCastException or InvalidOperationException or OverflowException)
        {
            return null;
        }
    }

    private string? FieldType(EntityHandle handle) => handle.Kind switch
    {
        HandleKind.FieldDefinition => _metadata.GetFieldDefinition((FieldDefinitionHandle)handle).DecodeSignature(_types, null),
        HandleKind.MemberReference => _metadata.GetMemberReference((MemberReferenceHandle)handle).DecodeFieldSignature(_types, null),
        _ => null,
    };

    private IlCallShape? Shape(EntityHandle handle)
    {
        switch (handle.Kind)
        {
            case HandleKind.MemberReference:
                MemberReference reference = _metadata.GetMemberReference((MemberReferenceHandle)handle);
                return reference.GetKind() == MemberReferenceKind.Method ? Shape(reference.DecodeMethodSignature(_types, null)) : null;
            case HandleKind.MethodDefinition:
                return Shape(_metadata.GetMethodDefinition((MethodDefinitionHandle)handle).DecodeSignature(_types, null));
            case HandleKind.MethodSpecification:
                return Shape(_metadata.GetMethodSpecification((MethodSpecificationHandle)handle).Method);
            default:
                return null;
        }
    }

    private static IlCallShape Shape(MethodSignature<string> signature)
        => new(
            signature.Header.IsInstance, signature.ParameterTypes,
            signature.ReturnType == nameof(PrimitiveTypeCode.Void) ? null : signature.ReturnType);

    private IlMember? Read(EntityHandle handle)
    {
        switch (handle.Kind)
        {
            case HandleKind.MethodDefinition:
                MethodDefinition method = _metadata.GetMethodDefinition((MethodDefinitionHandle)handle);
                return new IlMember(Name(method.GetDeclaringType(), MostNested), _metadata.GetString(method.Name), MetadataTokens.GetToken(handle));
            case HandleKind.FieldDefinition:
                FieldDefinition field = _metadata.GetFieldDefinition((FieldDefinitionHandle)handle);
                return new IlMember(Name(field.GetDeclaringType(), MostNested), _metadata.GetString(field.Name), MetadataTokens.GetToken(handle));
            case HandleKind.MethodSpecification:
                return Read(_metadata.GetMethodSpecification((MethodSpecificationHandle)handle).Method);
            case HandleKind.MemberReference:
                return Read(_metadata.GetMemberReference((MemberReferenceHandle)handle));
            default:
                return null;
        }
    }

    private IlMember? Read(MemberReference reference)
    {
        string name = _metadata.GetString(reference.Name);
        EntityHandle parent = reference.Parent.Kind == HandleKind.TypeSpecification ? Generic((TypeSpecificationHandle)reference.Parent) : reference.Parent;
        IlMember? member = parent.Kind switch
        {
            HandleKind.TypeReference => new IlMember(NameOf(parent), name, 0),
            HandleKind.TypeDefinition => Definition((TypeDefinitionHandle)parent, name, reference.GetKind()),
            _ => null,
        };
        return member is null || reference.Parent.Kind != HandleKind.TypeSpecification ? member
            : member with { Arguments = ArgumentsOf((TypeSpecificationHandle)reference.Parent) };
    }

    // A member of a generic type of the module itself: its definition by name, the first of several overloads.
    private IlMember Definition(TypeDefinitionHandle type, string name, MemberReferenceKind kind)
    {
        TypeDefinition definition = _metadata.GetTypeDefinition(type);
        int token = kind == MemberReferenceKind.Field
            ? definition.GetFields().Where(field => _metadata.StringComparer.Equals(_metadata.GetFieldDefinition(field).Name, name)).Select(field => MetadataTokens.GetToken(field)).FirstOrDefault()
            : definition.GetMethods().Where(method => _metadata.StringComparer.Equals(_metadata.GetMethodDefinition(method).Name, name)).Select(method => MetadataTokens.GetToken(method)).FirstOrDefault();
        return new IlMember(Name(type, MostNested), name, token);
    }

    private string ArgumentsOf(TypeSpecificationHandle type)
    {
        string whole = _metadata.GetTypeSpecification(type).DecodeSignature(_types, null);
        return whole.IndexOf('<', StringComparison.Ordinal) is >= 0 and int start ? whole[start..] : string.Empty;
    }

    private string NameOf(EntityHandle type) => type.Kind switch
    {
        HandleKind.TypeDefinition => Name((TypeDefinitionHandle)type, MostNested),
        HandleKind.TypeReference => Name((TypeReferenceHandle)type, MostNested),
        _ => IlTypeNames.Any,
    };

    private TypeParents Parents(EntityHandle method)
    {
        TypeDefinition type = _metadata.GetTypeDefinition(_metadata.GetMethodDefinition((MethodDefinitionHandle)method).GetDeclaringType());
        return new TypeParents(
            type.BaseType.IsNil ? null : ParentName(type.BaseType),
            [.. type.GetInterfaceImplementations().Select(row => ParentName(_metadata.GetInterfaceImplementation(row).Interface))]);
    }

    private string ParentName(EntityHandle type)
        => NameOf(type.Kind == HandleKind.TypeSpecification ? Generic((TypeSpecificationHandle)type) : type);

    private EntityHandle Generic(TypeSpecificationHandle handle)
    {
        BlobReader blob = _metadata.GetBlobReader(_metadata.GetTypeSpecification(handle).Signature);
        if (blob.Length < 3 || blob.ReadByte() != GenericInstance)
        {
            return default;
        }

        blob.ReadByte();
        return blob.ReadTypeHandle();
    }

    private string Name(TypeDefinitionHandle handle, int depth)
    {
        TypeDefinition type = _metadata.GetTypeDefinition(handle);
        string own = Plain(_metadata.GetString(type.Name));
        return !type.GetDeclaringType().IsNil && depth > 0 ? $"{Name(type.GetDeclaringType(), depth - 1)}+{own}" : Qualified(_metadata.GetString(type.Namespace), own);
    }

    private string Name(TypeReferenceHandle handle, int depth)
    {
        TypeReference type = _metadata.GetTypeReference(handle);
        string own = Plain(_metadata.GetString(type.Name));
        return type.ResolutionScope.Kind == HandleKind.TypeReference && depth > 0
            ? $"{Name((TypeReferenceHandle)type.ResolutionScope, depth - 1)}+{own}"
            : Qualified(_metadata.GetString(type.Namespace), own);
    }

    private static string Qualified(string space, string own) => space.Length == 0 ? own : $"{space}.{own}";

    // "Box`1" is Box.
    private static string Plain(string name) => name.IndexOf('`', StringComparison.Ordinal) is > 0 and int tick ? name[..tick] : name;
}
