using System.Reflection;
using Microsoft.Diagnostics.DebugServices;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Tests.DotnetDump;

/// <summary>
/// What the extension asks of its host must be there: a missing type or attribute member ends the host when it starts, a
/// missing method ends the command.
/// </summary>
public sealed class ReferenceTests
{
    private const string Contract = "Microsoft.Diagnostics.DebugServices";
    private const string ClrMd = "Microsoft.Diagnostics.Runtime";

    /// <summary>What hosts of major version 9 and 10 have alike, where an attribute's blob tells fields from properties.</summary>
    private static readonly string[] s_attributeMembers =
    [
        "CommandAttribute.Name field", "CommandAttribute.Help field", "CommandAttribute.Aliases field", "CommandAttribute.DefaultOptions field",
        "OptionAttribute.Name field", "OptionAttribute.Help field", "OptionAttribute.Aliases field", "ServiceImportAttribute.Optional property",
    ];

    private static readonly string[] s_expectedFiles =
    [
        "HangTriage.Capture.dll", "HangTriage.DotnetDump.dll", "HangTriage.Facts.dll", "HangTriage.Reports.dll", "HangTriage.Rules.dll", "HangTriage.Traces.dll", "Iced.dll",
    ];

    [Theory]
    [InlineData(9)]
    [InlineData(10)]
    public void What_is_used_of_the_host_is_in_the_contract(int hostMajor)
    {
        HashSet<string> used = Surface.Used(Extension.Dll(hostMajor), Contract);

        Assert.Contains(Contract + ".CommandBase.Write(String) : Void", used);
        Assert.Empty(used.Except(Surface.Declared(Extension.Contract(hostMajor))));
    }

    [Theory]
    [InlineData(9)]
    [InlineData(10)]
    public void Nothing_is_used_that_ClrMD_4_0_lacks(int hostMajor)
    {
        string[] newer = File.ReadAllLines(Path.Combine(AppContext.BaseDirectory, "NewInClrMd41.txt"));
        HashSet<string> used = [.. Directory.GetFiles(Extension.Folder(hostMajor), "HangTriage.*.dll").SelectMany(file => Surface.Used(file, ClrMd))];

        Assert.Contains("Microsoft.Diagnostics.Runtime.ClrThread.get_OSThreadId() : UInt32", used);
        Assert.Empty(used.Intersect(newer));
    }

    [Fact]
    public void The_list_of_what_is_new_is_in_the_package_that_it_was_made_of()
        => Assert.Empty(File.ReadAllLines(Path.Combine(AppContext.BaseDirectory, "NewInClrMd41.txt"))
            .Where(line => !line.Contains("modreq", StringComparison.Ordinal))
            .Except(Surface.Declared(typeof(ClrRuntime).Assembly.Location)));

    [Fact]
    public void Attributes_are_given_only_what_every_host_has()
    {
        HashSet<string> used = Surface.NamedArguments(new HostLoadContext(Extension.Dll(10)).Load(), Contract);

        Assert.Contains("CommandAttribute.Name field", used);
        Assert.Empty(used.Except(s_attributeMembers));
    }

    [Fact]
    public void One_public_type_is_exported_and_it_derives_from_what_every_host_has()
    {
        Type exported = Assert.Single(new HostLoadContext(Extension.Dll(10)).Load().GetExportedTypes());

        Assert.Equal(typeof(CommandBase), exported.BaseType);
        Assert.Empty(exported.GetInterfaces());
    }

    [Fact]
    public void A_host_of_another_major_version_refuses_it()
    {
        Assembly extension = new HostLoadContext(Extension.Dll(9)).Load();

        Exception error = Assert.ThrowsAny<Exception>(() => extension.GetExportedTypes());

        Assert.Contains($"version not supported for {Contract} 9.0.0.0", error.ToString(), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(9)]
    [InlineData(10)]
    public void The_contract_has_the_identity_of_the_real_assembly(int hostMajor)
    {
        AssemblyName name = AssemblyName.GetAssemblyName(Extension.Contract(hostMajor));

        Assert.Equal($"{Contract}, Version={hostMajor}.0.0.0, Culture=neutral, PublicKeyToken=31bf3856ad364e35", name.FullName);
        Assert.Equal(name.GetPublicKey(), typeof(ClrRuntime).Assembly.GetName().GetPublicKey());
    }

    [Theory]
    [InlineData(9)]
    [InlineData(10)]
    public void The_folder_is_complete_and_has_nothing_of_the_host(int hostMajor)
        => Assert.Equal(s_expectedFiles, Directory.GetFiles(Extension.Folder(hostMajor), "*.dll").Select(Path.GetFileName).Order(StringComparer.Ordinal));
}
