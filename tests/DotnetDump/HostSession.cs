using System.Reflection;
using System.Runtime.InteropServices;
using System.Text;
using Microsoft.Diagnostics.DebugServices;
using Microsoft.Diagnostics.Runtime;
using Microsoft.Diagnostics.Runtime.DataReaders.Implementation;

namespace HangTriage.Tests.DotnetDump;

/// <summary>A host with one dump open, and the services that commands take from it.</summary>
internal sealed class HostSession : IServiceProvider, IConsoleService, ITarget, IThreadService, IModuleService, IDisposable
{
    private static readonly Lazy<Assembly> s_extension = new(() => new HostLoadContext(Extension.Dll(10)).Load());

    private readonly StringBuilder _output = new();
    private readonly DataTarget? _dump;
    private readonly ClrRuntime? _runtime;
    private readonly string? _file;

    /// <param name="dump">The dump that is open; null for none.</param>
    /// <param name="namesFile">Whether the target's description ends with the file, as in dotnet-dump; not so in debuggers.</param>
    public HostSession(string? dump, bool namesFile = true)
    {
        if (dump is not null)
        {
            _dump = DataTarget.LoadDump(dump);
            _runtime = OpenRuntime(_dump);
            _file = namesFile ? dump : null;
        }
    }

    public CancellationToken CancellationToken { get; set; }

    /// <summary>What the host answers to a request for the runtime; null for the open one.</summary>
    public Func<ClrRuntime?>? RuntimeAnswer { get; init; }

    public string Output => _output.ToString();

    public OSPlatform OperatingSystem => _dump!.DataReader.TargetPlatform;

    public Architecture Architecture => _dump!.DataReader.Architecture;

    public bool IsDump => _file is not null;

    public uint? ProcessId => (uint)_dump!.DataReader.ProcessId;

    public IModule EntryPointModule => new HostModule("/app/the-program");

    private IThreadReader Reader => (IThreadReader)_dump!.DataReader;

    /// <summary>Runs the command on a fresh instance, its imports and options set as the host sets them.</summary>
    public string Run(params (string Option, object Value)[] options)
    {
        Type type = s_extension.Value.GetExportedTypes().Single(type => type.GetCustomAttribute<CommandAttribute>()?.Name == "triage");
        object command = Activator.CreateInstance(type)!;
        foreach (PropertyInfo import in type.GetProperties().Where(property => property.IsDefined(typeof(ServiceImportAttribute), inherit: true)))
        {
            import.SetValue(command, import.PropertyType == typeof(IServiceProvider) ? this : GetService(import.PropertyType));
        }

        foreach ((string option, object value) in options)
        {
            type.GetProperties().Single(property => property.GetCustomAttribute<OptionAttribute>()?.Name == option).SetValue(command, value);
        }

        ((CommandBase)command).Invoke();
        return Output;
    }

    public object? GetService(Type serviceType)
        => serviceType == typeof(IConsoleService) ? this
            : _dump is null ? null
            : serviceType == typeof(ClrRuntime) ? RuntimeAnswer is null ? _runtime : RuntimeAnswer()
            : serviceType == typeof(IDataReader) ? _dump.DataReader
            : serviceType.IsInstanceOfType(this) ? this
            : null;

    public void Write(string value) => _output.Append(value);

    public IEnumerable<IThread> EnumerateThreads() => Reader.EnumerateOSThreadIds().Select(GetThreadFromId);

    public IThread GetThreadFromId(uint threadId) => new HostThread(threadId, Reader.GetThreadTeb(threadId));

    public override string ToString()
        => $"Target OS: {OperatingSystem} Architecture: {Architecture} ProcessId: {ProcessId} (0x{ProcessId:X}){(_file is null ? "" : " " + _file)}";

    public void Dispose()
    {
        _runtime?.Dispose();
        _dump?.Dispose();
    }

    // The cores of these tests are of programs on the runtime that the tests run on.
    private static ClrRuntime? OpenRuntime(DataTarget dump)
        => dump.DataReader.TargetPlatform == OSPlatform.Linux && dump.ClrVersions is [ClrInfo clr, ..]
            ? clr.CreateRuntime(Path.Combine(Path.GetDirectoryName(typeof(object).Assembly.Location)!, "libmscordaccore.so"), ignoreMismatch: true)
            : null;

    private sealed record HostModule(string FileName) : IModule;

    private sealed record HostThread(uint ThreadId, ulong Teb) : IThread
    {
        public ulong GetThreadTeb() => Teb;
    }
}
