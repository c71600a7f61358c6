using HangTriage.Tests.Support;

namespace HangTriage.Tests.EndToEnd.Layers;

/// <summary>A project of the product: where its sources are, what it is compiled to, and the namespace of its top folder.</summary>
internal sealed record Project(string Folder, string Assembly, string RootNamespace)
{
    public static IReadOnlyList<Project> All { get; } =
    [
        new("analyzers/Facts", "HangTriage.Facts.dll", "HangTriage.Facts"),
        new("analyzers/Capture", "HangTriage.Capture.dll", "HangTriage.Capture"),
        new("analyzers/Traces", "HangTriage.Traces.dll", "HangTriage.Traces"),
        new("analyzers/Rules", "HangTriage.Rules.dll", "HangTriage.Rules"),
        new("analyzers/Reports", "HangTriage.Reports.dll", "HangTriage.Reports"),
        new("host-cli", "triage.dll", "HangTriage.Cli"),
        new("extension/DbgEng", "extensions/windbg/HangTriage.DbgEng.dll", "HangTriage.DbgEng"),
        new("extension/DotnetDump", "extensions/dotnet-dump/10/HangTriage.DotnetDump.dll", "HangTriage.DotnetDump"),
    ];

    public override string ToString() => Folder;

    public SourceFolders Sources => new(SourcePath);

    public string SourcePath => Path.Combine(Repository.Root, Folder);

    public string AssemblyPath => Path.Combine(AppContext.BaseDirectory, Assembly);
}
