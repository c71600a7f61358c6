using HangTriage.Capture.Managed.Collections;

namespace HangTriage.Tests.Capture.Managed.Collections;

public sealed class SharedCodeTests
{
    [Theory]
    [InlineData("Dictionary<System.__Canon, System.__Canon>", "Dictionary<App.Key, System.String>", true)]
    [InlineData("Dictionary<System.Int32, System.__Canon>", "Dictionary<System.Int32, System.Collections.Generic.List<System.String>>", true)]
    [InlineData("Dictionary<System.ValueTuple<System.Int32, System.__Canon>, System.Byte>", "Dictionary<System.ValueTuple<System.Int32, System.String>, System.Byte>", true)]
    [InlineData("Dictionary<System.Int32, System.Int32>", "Dictionary<System.Int32, System.Int32>", true)]
    [InlineData("Dictionary<System.Int32, System.__Canon>", "Dictionary<System.Int64, System.String>", false)]
    [InlineData("Dictionary<System.__Canon, System.__Canon>", "HashSet<System.String>", false)]
    [InlineData("Dictionary<System.__Canon, System.__Canon>", "Dictionary<System.String, System.String>+Entry[]", false)]
    [InlineData("App.Table", "App.Table", true)]
    public void Code_is_shared_by_reference_types_alone(string method, string type, bool fits) => Assert.Equal(fits, SharedCode.Fits(method, type));
}
