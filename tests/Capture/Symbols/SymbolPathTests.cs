using HangTriage.Capture;

namespace HangTriage.Tests.Capture.Symbols;

public sealed class SymbolPathTests
{
    [Theory]
    [InlineData("", "")]
    [InlineData("dir", "dir")]
    [InlineData(@"C:\a;\\host\share; ;C:\b", @"C:\a|\\host\share|C:\b")]
    [InlineData("srv*cache*http://s.example/sym", "cache>http://s.example/sym/")]
    [InlineData("SRV*near*far*https://s.example", "near,far>https://s.example/")]
    [InlineData("srv*share", "share")]
    [InlineData("srv*http://s.example", "default>http://s.example/")]
    [InlineData("srv**http://s.example", "default>http://s.example/")]
    [InlineData("http://s.example", "default>http://s.example/")]
    [InlineData("symsrv*symsrv.dll*cache*http://s.example", "cache>http://s.example/")]
    [InlineData("cache*kept;srv*http://s.example", "kept|kept>http://s.example/")]
    [InlineData("cache*;srv*http://s.example", "default|default>http://s.example/")]
    [InlineData("before;cache*kept;srv*own*http://s.example", "before|kept|kept,own>http://s.example/")]
    public void A_path_is_read_as_debuggers_read_it(string text, string expected)
    {
        SymbolPath path = SymbolPath.Parse(text, "default");
        Assert.Equal(expected, string.Join('|', path.Places.Select(p => string.Join(',', p.Folders) + (p.Server is null ? "" : $">{p.Server}"))));
        Assert.Empty(path.Gaps);
    }

    [Theory]
    [InlineData("symsrv*other.dll*cache*http://s.example", "never loaded")]
    [InlineData("srv*cache*ftp://s.example", "neither http nor https")]
    [InlineData("srv*cache*file:///etc", "neither http nor https")]
    [InlineData("srv*cache*http://s.example/?key=1", "neither http nor https")]
    [InlineData("what*ever", "not understood")]
    [InlineData("srv*http://s.example*cache", "not used")]
    public void What_is_not_understood_is_a_gap_and_the_rest_is_used(string text, string why)
    {
        SymbolPath path = SymbolPath.Parse($"{text};dir", "default");
        Assert.Contains(why, Assert.Single(path.Gaps).Why, StringComparison.Ordinal);
        Assert.Equal(["dir"], path.Places[^1].Folders);
    }

    [Fact]
    public void Without_a_folder_to_keep_files_in_no_server_is_asked()
    {
        SymbolPath path = SymbolPath.Parse("srv*http://s.example", defaultCache: null);
        Assert.Empty(path.Places);
        Assert.Contains("s.example", Assert.Single(path.Gaps).Why, StringComparison.Ordinal);
    }

    [Fact]
    public void A_folder_may_have_any_characters()
        => Assert.Equal(["a;b*c"], Assert.Single(SymbolPath.OfFolder("a;b*c").Places).Folders);
}
