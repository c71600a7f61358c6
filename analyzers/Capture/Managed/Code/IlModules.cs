using HangTriage.Facts.Calls;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Code;

/// <summary>The modules of the program's own, each opened once.</summary>
internal sealed class IlModules : IDisposable
{
    private const int MostModules = 256;
    private const int MostTypes = 64;
    private const int MostMethods = 16;

    private readonly Dictionary<ulong, IlModule?> _modules = [];
    private readonly Dictionary<ulong, IlModule> _opaque = [];

    /// <summary>Of every module that was asked for, the instructions are in the input.</summary>
    public bool IsWhole { get; private set; } = true;

    public IEnumerable<IlModule> Opened => _modules.Values.OfType<IlModule>();

    /// <summary>
    /// The module is of a library some of whose instructions are not to be had, as of a core with the heap alone: what it does is as
    /// little known as what .NET does. Once all are open.
    /// </summary>
    public bool IsOpaque(ClrModule? module) => module is not null && _opaque.ContainsKey(module.Address);

    /// <summary>The module of a method; null for the framework's, and where its instructions are not in the input.</summary>
    public IlModule? Of(ClrMethod? method) => method?.Type is { } type ? Of(type, method) : null;

    /// <summary>The same of a type.</summary>
    public IlModule? Of(ClrType type) => Of(type, known: null);

    /// <summary>A module that was asked for before; null for others, too.</summary>
    public IlModule? OpenedOf(ClrModule module) => _modules.GetValueOrDefault(module.Address);

    private IlModule? Of(ClrType type, ClrMethod? known)
    {
        if (type is not { Name: { } name, Module: { IsDynamic: false } module } || Frameworks.IsOwn(name))
        {
            return null;
        }

        if (!_modules.TryGetValue(module.Address, out IlModule? opened))
        {
            // Code that is made at run time is of a type without a name of .NET's, in a module of .NET's.
            bool isOfFramework = IsOfFramework(module);
            known ??= isOfFramework ? null : type.Methods.FirstOrDefault(method => method.GetILInfo() is { Length: > 0 });
            opened = isOfFramework ? null
                : (known is null ? null : Open(() => IlModule.Open(module, known))) ?? Open(() => IlModule.OpenFile(module));
            if (opened is null && known is null && !isOfFramework)
            {
                // Another type of the module may say where its instructions are.
                return null;
            }

            _modules.Add(module.Address, opened);
            IsWhole &= opened is not null || isOfFramework;
        }

        return opened;
    }

    /// <summary>Opens every module of the program's own, those of which no method is on a stack too. False where there are too many.</summary>
    /// <param name="runtime">The runtime.</param>
    /// <param name="guesses">Reads what may not be there.</param>
    /// <param name="context">Progress and cancellation.</param>
    public bool OpenAll(ClrRuntime runtime, IDataReader guesses, CaptureContext context)
    {
        // Types that are made at run time can call anything, and their instructions are not read.
        IsWhole &= !runtime.EnumerateModules().Any(module => module.IsDynamic && module.EnumerateTypeDefToMethodTableMap().Any());
        int count = 0;
        foreach (ClrModule module in runtime.EnumerateModules().Where(module => !module.IsDynamic && !_modules.ContainsKey(module.Address)))
        {
            context.Step();
            if (IsOfFramework(module))
            {
                continue;
            }

            if (++count > MostModules)
            {
                return false;
            }

            IlModule? opened = Any(runtime, module, guesses);
            _modules.Add(module.Address, opened);
            IsWhole &= opened is not null || !module.EnumerateTypeDefToMethodTableMap().Any();
        }

        LeaveOutOpaque(context);
        return true;
    }

    private void LeaveOutOpaque(CaptureContext context)
    {
        IReadOnlySet<IlModule> libraries = Libraries();
        foreach ((ulong address, IlModule? module) in _modules.Where(pair => pair.Value?.HasGaps(context) == true).ToArray())
        {
            if (libraries.Contains(module!))
            {
                _opaque.Add(address, module!);
                _modules[address] = null;
            }
            else
            {
                IsWhole = false;
            }
        }
    }

    /// <summary>
    /// The modules of libraries, once all are open: others refer to them, and they are signed with a key that is not the program's; those
    /// that are not signed too, where no such code calls methods by reflection.
    /// </summary>
    public IReadOnlySet<IlModule> Libraries()
    {
        HashSet<string> referred = [.. Opened.SelectMany(module => module.References)];
        HashSet<string?> own = [null, .. Opened.Where(module => !referred.Contains(module.Assembly)).Select(module => module.Key)];
        bool reflects = Opened.Any(module => own.Contains(module.Key) && module.CallsByReflection);
        return Opened.Where(module => !own.Contains(module.Key) || (!reflects && referred.Contains(module.Assembly))).ToHashSet();
    }

    /// <summary>The types of the modules that are open, those that are not generic.</summary>
    public IEnumerable<ClrType> TypesOf(ClrRuntime runtime)
        => runtime.EnumerateModules().Where(module => _modules.GetValueOrDefault(module.Address) is not null)
            .SelectMany(module => module.EnumerateTypeDefToMethodTableMap())
            .Select(type => runtime.GetTypeByMethodTable(type.MethodTable)).OfType<ClrType>();

    /// <summary>A static field of a type that is not generic; null where there is none.</summary>
    /// <param name="runtime">The runtime.</param>
    /// <param name="module">The address of the module that declares the type.</param>
    /// <param name="type">The type's name.</param>
    /// <param name="name">The field's name.</param>
    public static ClrStaticField? StaticField(ClrRuntime runtime, ulong module, string type, string name)
        => runtime.EnumerateModules().FirstOrDefault(own => own.Address == module)?.GetTypeByName(type)?.GetStaticFieldByName(name);

    public void Dispose()
    {
        foreach (IlModule module in Opened.Concat(_opaque.Values))
        {
            module.Dispose();
        }
    }

    /// <summary>A module, the framework's too; null where its instructions are neither in the input nor in a file that is here.</summary>
    /// <param name="runtime">The runtime.</param>
    /// <param name="module">The module.</param>
    /// <param name="guesses">Reads what may not be there, for one of which the runtime knows no method; null where that need not be tried.</param>
    public static IlModule? Any(ClrRuntime runtime, ClrModule module, IDataReader? guesses = null)
        => (AnyMethod(runtime, module) is { } method ? Open(() => IlModule.Open(module, method))
                : guesses is null ? null
                : Open(() => IlModule.Open(module, guesses)))
            ?? Open(() => IlModule.OpenFile(module));

    private static bool IsOfFramework(ClrModule module)
        => module.Name is not { Length: > 0 } path || Frameworks.IsOwn(path[(path.LastIndexOfAny(['/', '\\']) + 1)..]);

    private static ClrMethod? AnyMethod(ClrRuntime runtime, ClrModule module)
        => module.EnumerateTypeDefToMethodTableMap().Take(MostTypes)
            .Select(type => runtime.GetTypeByMethodTable(type.MethodTable))
            .OfType<ClrType>()
            .SelectMany(type => type.Methods.Where(method => method.Type?.MethodTable == type.MethodTable).Take(MostMethods))
            .FirstOrDefault(method => method.GetILInfo() is { Length: > 0 });

    private static IlModule? Open(Func<IlModule?> open)
    {
        try
        {
            return open();
        }
        catch (Exception e) when (e is not (OperationCanceledException or OutOfMemoryException))
        {
            return null;
        }
    }
}
