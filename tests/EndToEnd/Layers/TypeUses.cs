using System.Reflection.Metadata;
using System.Reflection.PortableExecutable;

namespace HangTriage.Tests.EndToEnd.Layers;

/// <summary>
/// The types of the same assembly that a type uses: in its base types, attributes, fields, signatures and method bodies.
/// Constants leave no trace in what uses them.
/// </summary>
internal sealed class TypeUses(PEReader image, MetadataReader metadata)
{
    private readonly SignatureTypes _signatures = new();
    private readonly HashSet<TypeDefinitionHandle> _found = [];

    public IReadOnlySet<TypeDefinitionHandle> Of(TypeDefinition type)
    {
        _found.Clear();
        Add(type.BaseType);
        AddConstraints(type.GetGenericParameters());
        AddAttributes(type.GetCustomAttributes());
        foreach (InterfaceImplementationHandle handle in type.GetInterfaceImplementations())
        {
            Add(metadata.GetInterfaceImplementation(handle).Interface);
        }

        foreach (FieldDefinitionHandle handle in type.GetFields())
        {
            Add(handle);
            AddAttributes(metadata.GetFieldDefinition(handle).GetCustomAttributes());
        }

        foreach (MethodDefinitionHandle handle in type.GetMethods())
        {
            AddMethod(metadata.GetMethodDefinition(handle));
        }

        return _found.ToHashSet();
    }

    private void AddMethod(MethodDefinition method)
    {
        _found.UnionWith(SignatureTypes.Of(method.DecodeSignature(_signatures, null)));
        AddConstraints(method.GetGenericParameters());
        AddAttributes(method.GetCustomAttributes());
        if (method.RelativeVirtualAddress == 0)
        {
            return;
        }

        MethodBodyBlock body = image.GetMethodBody(method.RelativeVirtualAddress);
        foreach (EntityHandle token in IlTokens.Of(body.GetILBytes() ?? []))
        {
            Add(token);
        }

        if (!body.LocalSignature.IsNil)
        {
            Add(body.LocalSignature);
        }

        foreach (ExceptionRegion region in body.ExceptionRegions.Where(region => region.Kind == ExceptionRegionKind.Catch))
        {
            Add(region.CatchType);
        }
    }

    private void AddConstraints(GenericParameterHandleCollection parameters)
    {
        foreach (GenericParameterConstraintHandle handle in parameters.SelectMany(parameter => metadata.GetGenericParameter(parameter).GetConstraints()))
        {
            Add(metadata.GetGenericParameterConstraint(handle).Type);
        }
    }

    private void AddAttributes(CustomAttributeHandleCollection attributes)
    {
        foreach (CustomAttributeHandle handle in attributes)
        {
            Add(metadata.GetCustomAttribute(handle).Constructor);
        }
    }

    private void Add(EntityHandle handle)
    {
        // The base type of an interface: a type definition that is none.
        if (handle.IsNil)
        {
            return;
        }

        switch (handle.Kind)
        {
            case HandleKind.TypeDefinition:
                _found.Add((TypeDefinitionHandle)handle);
                break;
            case HandleKind.TypeSpecification:
                _found.UnionWith(metadata.GetTypeSpecification((TypeSpecificationHandle)handle).DecodeSignature(_signatures, null));
                break;
            case HandleKind.FieldDefinition:
                AddField(metadata.GetFieldDefinition((FieldDefinitionHandle)handle));
                break;
            case HandleKind.MethodDefinition:
                MethodDefinition method = metadata.GetMethodDefinition((MethodDefinitionHandle)handle);
                _found.Add(method.GetDeclaringType());
                _found.UnionWith(SignatureTypes.Of(method.DecodeSignature(_signatures, null)));
                break;
            case HandleKind.MemberReference:
                AddReference(metadata.GetMemberReference((MemberReferenceHandle)handle));
                break;
            case HandleKind.MethodSpecification:
                MethodSpecification specification = metadata.GetMethodSpecification((MethodSpecificationHandle)handle);
                Add(specification.Method);
                _found.UnionWith(SignatureTypes.Joined(specification.DecodeSignature(_signatures, null)));
                break;
            case HandleKind.StandaloneSignature:
                AddSignature(metadata.GetStandaloneSignature((StandaloneSignatureHandle)handle));
                break;
        }
    }

    private void AddField(FieldDefinition field)
    {
        _found.Add(field.GetDeclaringType());
        _found.UnionWith(field.DecodeSignature(_signatures, null));
    }

    private void AddReference(MemberReference member)
    {
        Add(member.Parent);
        _found.UnionWith(member.GetKind() == MemberReferenceKind.Field
            ? member.DecodeFieldSignature(_signatures, null)
            : SignatureTypes.Of(member.DecodeMethodSignature(_signatures, null)));
    }

    private void AddSignature(StandaloneSignature signature)
        => _found.UnionWith(signature.GetKind() == StandaloneSignatureKind.LocalVariables
            ? SignatureTypes.Joined(signature.DecodeLocalSignature(_signatures, null))
            : SignatureTypes.Of(signature.DecodeMethodSignature(_signatures, null)));
}
