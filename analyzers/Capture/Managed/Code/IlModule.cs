using System.Collections.Immutable;
using System.Reflection;
using System.Reflection.Metadata;
using System.Reflection.Metadata.Ecma335;
using System.Runtime.InteropServices;
using HangTriage.Facts.Calls;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Code;

/// <summary>The instructions of a module's methods, from the target's memory, with the names of what they use.</summary>
internal sealed class IlModule : IDisposable
{
    private const int MostNested = 8;
    private const int MostMetadata = 64 << 20;
    private const int MostCode = 1 << 20;
    private const int FatHeader = 12;
    private const int MoreSections = 0x8;
    private const int MostSection = 4096;

    // The JIT inlines no longer one, but where it is told to (jitconfigvalues.h: JitExtDefaultPolicyMaxIL and its sisters).
    private const int LongestInlined = 512;

    // ELEMENT_TYPE_R4, R8 and VALUETYPE of ECMA-335, II.23.1.16; vectors are value types.
    private const byte Float32 = 0x0C;
    private const byte Float64 = 0x0D;
    private const byte ValueType = 0x11;

    private const byte Pointer = 0x0F;
    private const byte Boolean = 0x02;
    private const byte RequiredModifier = 0x1F;

    private readonly Dictionary<int, IReadOnlyList<IlInstruction>> _bodies = [];
    private Dictionary<string, TypeDefinitionHandle>? _types;
    private readonly MetadataReaderProvider _provider;
    private readonly MetadataReader _metadata;
    private readonly Lazy<ImageFile?> _file;
    private readonly InstructionReader _reader;
    private readonly ulong _start;

    private IlModule(ClrModule module, Tables tables, IDataReader? reader, ulong start)
    {
        Address = module.Address;
        _provider = tables.Provider;
        _metadata = tables.Provider.GetMetadataReader();
        _file = new Lazy<ImageFile?>(() => ImageFile.Open(module.Name, tables.Bytes));
        _reader = new InstructionReader(reader, start, _file);
        _start = start;
        Names = new IlNames(_metadata);
    }

    /// <summary>The runtime's address of the module.</summary>
    public ulong Address { get; }

    public IlNames Names { get; }

    /// <summary>The assembly's simple name; empty for a module without.</summary>
    public string Assembly => _metadata.IsAssembly ? _metadata.GetString(_metadata.GetAssemblyDefinition().Name) : string.Empty;

    /// <summary>The key that the assembly is signed with, in hexadecimal digits; null where it is not.</summary>
    public string? Key
        => _metadata.IsAssembly && _metadata.GetBlobBytes(_metadata.GetAssemblyDefinition().PublicKey) is { Length: > 0 } key
            ? Convert.ToHexString(key)
            : null;

    /// <summary>The simple names of the assemblies that it refers to.</summary>
    public IEnumerable<string> References
        => _metadata.AssemblyReferences.Select(handle => _metadata.GetString(_metadata.GetAssemblyReference(handle).Name));

    /// <summary>Its code has calls by which others are made that are not among its instructions.</summary>
    public bool CallsByReflection
        => _metadata.MemberReferences.Select(handle => Names.Member(MetadataTokens.GetToken(handle))).OfType<IlMember>()
            .Any(called => ReflectionCalls.Has(called.Type, called.Name));

    /// <summary>Nothing tells others of the method: neither an attribute of theirs nor a type of .NET's that its own derives from.</summary>
    public bool IsUnmarked(int token)
        => MethodOf(token) is { } method
            && Names.ParentsOf(token).Base is { } parent && (parent is "System.Object" or "System.ValueType" || !Frameworks.IsOwn(parent))
            && method.GetCustomAttributes().Concat(_metadata.GetTypeDefinition(method.GetDeclaringType()).GetCustomAttributes())
                .All(handle => Names.Member(MetadataTokens.GetToken(_metadata.GetCustomAttribute(handle).Constructor)) is { } made
                    && (made.IsOwn || ReflectionCalls.IsForCompilers(made.Type)));

    public IEnumerable<int> Methods => _metadata.MethodDefinitions.Select(handle => MetadataTokens.GetToken(handle));

    /// <param name="module">The module.</param>
    /// <param name="known">A method of it, where the runtime says where its instructions are; all others lie at the same distance from their place in the file.</param>
    /// <returns>Null where the metadata or the instructions are not in the input.</returns>
    public static IlModule? Open(ClrModule module, ClrMethod known)
    {
        IDataReader reader = module.AppDomain.Runtime.DataTarget.DataReader;
        if (known.GetILInfo() is not { Length: > 0 } code || TablesOf(module, reader) is not { } tables)
        {
            return null;
        }

        MetadataReader metadata = tables.Provider.GetMetadataReader();
        if (MetadataTokens.EntityHandle(known.MetadataToken) is { Kind: HandleKind.MethodDefinition } handle
            && metadata.GetMethodDefinition((MethodDefinitionHandle)handle).RelativeVirtualAddress is > 0 and int place)
        {
            // The runtime's address is behind the header, which is short or long.
            InstructionReader target = new(reader, start: 0, file: null);
            foreach (int header in (ReadOnlySpan<int>)[1, FatHeader, 0])
            {
                ulong start = unchecked(code.Address - (ulong)header - (ulong)place);
                if (LengthAt(target, unchecked(start + (ulong)place), out _) == code.Length)
                {
                    return new IlModule(module, tables, reader, start);
                }
            }
        }

        tables.Provider.Dispose();
        return null;
    }

    /// <summary>One none of whose methods the runtime knows the place of, as of generic types alone: by the headers of its image.</summary>
    /// <param name="module">The module.</param>
    /// <param name="guesses">Reads what may be no part of it: which way the image is mapped is a guess.</param>
    /// <returns>Null where the metadata, the headers or the instructions are not in the input.</returns>
    public static IlModule? Open(ClrModule module, IDataReader guesses)
    {
        IDataReader reader = module.AppDomain.Runtime.DataTarget.DataReader;
        if (TablesOf(module, reader) is not { } tables)
        {
            return null;
        }

        MetadataReader metadata = tables.Provider.GetMetadataReader();
        int[] places =
        [
            .. metadata.MethodDefinitions
                .Select(handle => metadata.GetMethodDefinition(handle).RelativeVirtualAddress).Where(place => place > 0),
        ];
        InstructionReader target = new(guesses, start: 0, file: null);
        foreach (ulong start in IlImage.StartsOf(guesses, module.ImageBase, places.FirstOrDefault()))
        {
            if (places.Length > 0 && Array.TrueForAll(places, place => LengthAt(target, unchecked(start + (ulong)place), out _) > 0))
            {
                return new IlModule(module, tables, reader, start);
            }
        }

        tables.Provider.Dispose();
        return null;
    }

    /// <summary>One none of whose instructions are in the input: by its file.</summary>
    /// <returns>Null where the metadata is not in the input, or the file is not here or of another build.</returns>
    public static IlModule? OpenFile(ClrModule module)
    {
        if (TablesOf(module, module.AppDomain.Runtime.DataTarget.DataReader) is not { } tables)
        {
            return null;
        }

        IlModule opened = new(module, tables, reader: null, start: 0);
        if (opened._file.Value is not null)
        {
            return opened;
        }

        opened.Dispose();
        return null;
    }

    private static Tables? TablesOf(ClrModule module, IDataReader reader)
    {
        if (module.MetadataAddress == 0 || module.MetadataLength is 0 or > MostMetadata)
        {
            return null;
        }

        byte[] tables = new byte[(int)module.MetadataLength];
        return reader.Read(module.MetadataAddress, tables) == tables.Length
            ? new Tables(MetadataReaderProvider.FromMetadataImage(ImmutableCollectionsMarshal.AsImmutableArray(tables)), tables)
            : null;
    }

    /// <summary>Empty for a method without, and where they are not in the input.</summary>
    public IReadOnlyList<IlInstruction> Body(int token)
    {
        if (!_bodies.TryGetValue(token, out IReadOnlyList<IlInstruction>? body))
        {
            body = Read(token);
            _bodies.Add(token, body);
        }

        return body;
    }

    /// <summary>The instructions of some methods are neither in the input nor in its file.</summary>
    public bool HasGaps(CaptureContext context)
    {
        foreach (int token in Methods)
        {
            context.Step();
            if (TryFind(token, out _, out int length, out _) && length == 0)
            {
                return true;
            }
        }

        return false;
    }

    /// <summary>Its protected blocks with their handlers; empty where they are not in the input.</summary>
    public IReadOnlyList<IlClause> Clauses(int token)
    {
        if (!TryFind(token, out ulong address, out int length, out int header)
            || header != FatHeader || length is <= 0 or > MostCode || !_reader.Read(address, out byte flags) || (flags & MoreSections) == 0)
        {
            return [];
        }

        byte[] section = new byte[MostSection];
        int read = _reader.Read(unchecked(address + (ulong)((header + length + 3) & ~3)), section);
        return IlHandlers.Read(section.AsSpan(0, Math.Max(read, 0)));
    }

    public bool IsVirtual(int token) => (AttributesOf(token) & MethodAttributes.Virtual) != 0;

    /// <summary>Null for a token that is none of a method.</summary>
    public MethodAttributes? AttributesOf(int token) => MethodOf(token)?.Attributes;

    /// <summary>The types of its variables, as <see cref="IlTypeNames"/> has them; empty where they are not in the input.</summary>
    public IReadOnlyList<string> VariablesOf(int token) => LocalsOf(token) is { IsNil: false } locals ? Names.TypesOf(locals) : [];

    /// <summary>Its type is the state machine of an async method.</summary>
    public bool IsAsync(int token)
        => MethodOf(token) is { } method
            && _metadata.GetTypeDefinition(method.GetDeclaringType()).GetMethods().Any(other => _metadata.StringComparer.Equals(_metadata.GetMethodDefinition(other).Name, "SetStateMachine"));

    /// <summary>It has instructions, and the compiler may put them into the method that calls it.</summary>
    public bool CanBeInlined(int token)
        => MethodOf(token) is { RelativeVirtualAddress: > 0 } method && (method.ImplAttributes & MethodImplAttributes.NoInlining) == 0
            && Body(token) is { Count: > 0 } body
            && (body[^1].End <= LongestInlined || (method.ImplAttributes & MethodImplAttributes.AggressiveInlining) != 0);

    /// <summary>The methods of that name and number of parameters that a type of the module has; empty where it has no such type.</summary>
    public IReadOnlyList<int> MethodsOf(string type, string name, int parameters)
        => TypesByName().TryGetValue(type, out TypeDefinitionHandle handle)
            ? [.. _metadata.GetTypeDefinition(handle).GetMethods()
                .Where(method => _metadata.StringComparer.Equals(_metadata.GetMethodDefinition(method).Name, name))
                .Select(method => MetadataTokens.GetToken(method)).Where(token => Names.ParametersOf(token) == parameters)]
            : [];

    /// <summary>All methods of a type and of those that it has inside; empty where the module has no such type.</summary>
    public IReadOnlyList<int> MethodsWithin(string type)
        => TypesByName().TryGetValue(type, out TypeDefinitionHandle handle)
            ? [.. Within(handle, MostNested).SelectMany(part => _metadata.GetTypeDefinition(part).GetMethods())
                .Select(method => MetadataTokens.GetToken(method))]
            : [];

    // What an async lambda keeps is inside of what lambdas share, and that inside of the type.
    private IEnumerable<TypeDefinitionHandle> Within(TypeDefinitionHandle type, int depth)
        => _metadata.GetTypeDefinition(type).GetNestedTypes()
            .Where(_ => depth > 0).SelectMany(part => Within(part, depth - 1)).Prepend(type);

    /// <summary>The field cannot change once its object is made.</summary>
    public bool IsReadOnly(int token)
        => MetadataTokens.EntityHandle(token) is { Kind: HandleKind.FieldDefinition } handle
            && (_metadata.GetFieldDefinition((FieldDefinitionHandle)handle).Attributes & (FieldAttributes.InitOnly | FieldAttributes.Literal)) != 0;

    /// <summary>The field is a flag, which others may set, or is declared to be changed by other threads.</summary>
    public bool IsSignal(int token)
        => MetadataTokens.EntityHandle(token) is { Kind: HandleKind.FieldDefinition } handle
            && _metadata.GetBlobBytes(_metadata.GetFieldDefinition((FieldDefinitionHandle)handle).Signature) is [_, var first, ..]
            && first is Boolean or RequiredModifier;

    /// <summary>
    /// It is the accessor of a property that is set while its object is made (init): its signature has a required modifier.
    /// </summary>
    public bool IsInitializer(int token)
        => MethodOf(token) is { } method && _metadata.GetString(method.Name).StartsWith("set_", StringComparison.Ordinal)
            && _metadata.GetBlobBytes(method.Signature) is [_, _, RequiredModifier, ..];

    /// <summary>
    /// It works with numbers that are kept in other registers than integers: by its variables, its parameters or its instructions.
    /// </summary>
    public bool HasFloats(int token)
        => HasInSignatures(token, Float32, Float64, ValueType) || Body(token).Any(instruction => IsFloat(instruction.Code));

    /// <summary>It has variables or parameters of value types: vectors, which fill more of a register than is read, are such.</summary>
    public bool HasValueTypes(int token)
        => HasInSignatures(token, ValueType);

    /// <summary>It has variables or parameters that are pointers, or that may be.</summary>
    public bool HasPointers(int token) => HasInSignatures(token, Pointer);

    public void Dispose()
    {
        _provider.Dispose();
        if (_file.IsValueCreated)
        {
            _file.Value?.Dispose();
        }
    }

    private static bool IsFloat(ILOpCode code)
        => code is ILOpCode.Ldc_r4 or ILOpCode.Ldc_r8 or ILOpCode.Conv_r4 or ILOpCode.Conv_r8 or ILOpCode.Conv_r_un
            or ILOpCode.Ldelem_r4 or ILOpCode.Ldelem_r8 or ILOpCode.Ldind_r4 or ILOpCode.Ldind_r8;

    // Of its parameters or its variables; also where it is not known. A byte of another meaning makes it only more careful.
    private bool HasInSignatures(int token, params ReadOnlySpan<byte> elements)
        => MethodOf(token) is not { } method
            || _metadata.GetBlobBytes(method.Signature).AsSpan().IndexOfAny(elements) >= 0
            || (LocalsOf(token) is { IsNil: false } locals
                && _metadata.GetBlobBytes(_metadata.GetStandaloneSignature(locals).Signature).AsSpan().IndexOfAny(elements) >= 0);

    // ECMA-335, II.25.4.3: the token of its variables stands behind the size of its code.
    private StandaloneSignatureHandle LocalsOf(int token)
        => TryFind(token, out ulong address, out _, out int header) && header == FatHeader
            && _reader.Read(unchecked(address + 8), out int locals)
            && MetadataTokens.EntityHandle(locals) is { Kind: HandleKind.StandaloneSignature } handle
                ? (StandaloneSignatureHandle)handle
                : default;

    private Dictionary<string, TypeDefinitionHandle> TypesByName()
    {
        if (_types is null)
        {
            _types = new Dictionary<string, TypeDefinitionHandle>(StringComparer.Ordinal);
            foreach (TypeDefinitionHandle handle in _metadata.TypeDefinitions)
            {
                if (Names.Type(MetadataTokens.GetToken(handle)) is { } name)
                {
                    _types.TryAdd(name, handle);
                }
            }
        }

        return _types;
    }

    private MethodDefinition? MethodOf(int token)
        => MetadataTokens.EntityHandle(token) is { Kind: HandleKind.MethodDefinition } handle
            && MetadataTokens.GetRowNumber(handle) is > 0 and var row && row <= _metadata.MethodDefinitions.Count
            ? _metadata.GetMethodDefinition((MethodDefinitionHandle)handle)
            : null;

    private IReadOnlyList<IlInstruction> Read(int token)
    {
        if (!TryFind(token, out ulong address, out int length, out int header))
        {
            return [];
        }

        byte[] code = new byte[Math.Clamp(length, 0, MostCode)];
        return code.Length > 0 && _reader.Read(unchecked(address + (ulong)header), code) == code.Length ? IlDecoder.Decode(code) : [];
    }

    // Its header, and how long its instructions behind that are.
    private bool TryFind(int token, out ulong address, out int length, out int header)
    {
        int place = MethodOf(token)?.RelativeVirtualAddress ?? 0;
        address = unchecked(_start + (ulong)place);
        header = 0;
        length = place > 0 ? LengthAt(_reader, address, out header) : 0;
        return place > 0;
    }

    // ECMA-335, II.25.4: the low two bits of the first byte say which header it is.
    private static int LengthAt(InstructionReader reader, ulong address, out int header)
    {
        header = 1;
        if (!reader.Read(address, out byte first))
        {
            return 0;
        }

        if ((first & 3) == 2)
        {
            return first >> 2;
        }

        header = FatHeader;
        return (first & 3) == 3 && reader.Read(unchecked(address + 1), out byte second) && second >> 4 == FatHeader / sizeof(int)
            && reader.Read(unchecked(address + 4), out int length) ? length : 0;
    }

    /// <summary>A module's metadata, and the bytes that they are read from.</summary>
    private sealed record Tables(MetadataReaderProvider Provider, byte[] Bytes);
}
