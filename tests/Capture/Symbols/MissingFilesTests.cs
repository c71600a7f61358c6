using HangTriage.Capture.Windows.Files;

namespace HangTriage.Tests.Capture.Symbols;

public sealed class MissingFilesTests
{
    [Fact]
    public void Hundreds_of_modules_make_one_short_clause()
    {
        MissingFiles missing = new();
        Assert.True(missing.IsEmpty);
        for (int i = 1; i <= 300; i++)
        {
            missing.Add($"m{i}.dll");
        }

        Assert.StartsWith("the symbol path has none for m1.dll, m2.dll", missing.ToString(), StringComparison.Ordinal);
        Assert.EndsWith(", m16.dll and 284 more", missing.ToString(), StringComparison.Ordinal);
    }
}
