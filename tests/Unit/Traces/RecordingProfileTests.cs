using System.Globalization;
using System.Xml.Linq;
using HangTriage.Tests.Support;
using HangTriage.Traces.Windows;

namespace HangTriage.Tests.Unit.Traces;

/// <summary>The profile for Windows' recorder that docs/traces.md names. That the recorder takes it is not tested here.</summary>
public sealed class RecordingProfileTests
{
    private static readonly XElement s_profile = XDocument.Load(Path.Combine(Repository.Root, "docs", "hangtriage.wprp")).Root!;

    [Fact]
    public void What_is_named_is_defined()
    {
        HashSet<string> ids = [.. s_profile.Descendants().Select(element => (string?)element.Attribute("Id")).OfType<string>()];
        string[] named = [.. s_profile.Descendants().Where(element => element.Name.LocalName.EndsWith("Id", StringComparison.Ordinal)).Select(element => (string)element.Attribute("Value")!)];

        Assert.Equal(10, named.Length);
        Assert.All(named.Concat(s_profile.Descendants().Select(element => (string?)element.Attribute("Base")).OfType<string>()), id => Assert.Contains(id, ids));
    }

    [Fact]
    public void Its_providers_are_those_that_are_read()
        => Assert.Equal(
            new[] { EventNames.Runtime, EventNames.RuntimeRundown, EventNames.KernelProcess }.Order(),
            s_profile.Descendants("EventProvider").Select(provider => Guid.Parse((string)provider.Attribute("Name")!)).Order());

    /// <summary>One recipe for both recorders: the keywords of dotnet-trace in docs/traces.md are the profile's.</summary>
    [Fact]
    public void The_keywords_of_dotnet_are_those_of_the_recipe_for_dotnet_trace()
    {
        string keywords = (string)s_profile.Descendants("EventProvider").Single(provider => (string?)provider.Attribute("Id") == "DotNET").Descendants("Keyword").Single().Attribute("Value")!;

        Assert.Equal(0x1 | 0x8 | 0x10 | 0x20 | 0x4000 | 0x10000 | 0x40000000000, long.Parse(keywords.AsSpan(2), NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture));
        Assert.Contains($"Microsoft-Windows-DotNETRuntime:{keywords}:5", File.ReadAllText(Path.Combine(Repository.Root, "docs", "traces.md")), StringComparison.Ordinal);
    }

    [Fact]
    public void Switches_readied_threads_and_samples_have_their_stacks()
    {
        XElement scheduler = s_profile.Descendants("SystemProvider").Single(provider => (string?)provider.Attribute("Id") == "Scheduler");
        string[] stacks = [.. scheduler.Descendants("Stack").Select(stack => (string)stack.Attribute("Value")!)];

        Assert.Equal(["CSwitch", "ReadyThread", "SampledProfile"], stacks);
        Assert.All(stacks, stack => Assert.Contains(stack, scheduler.Descendants("Keyword").Select(keyword => (string)keyword.Attribute("Value")!)));
    }
}
