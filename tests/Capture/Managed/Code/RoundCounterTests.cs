using HangTriage.Capture.Managed.Work;

namespace HangTriage.Tests.Capture.Managed.Code;

/// <summary>Code that is not optimised counts its rounds in its frame.</summary>
public sealed class RoundCounterTests
{
    // As the JIT of .NET 10 writes it: mov eax, [rbp-x]; dec eax; mov [rbp-x], eax; cmp dword ptr [rbp-x], 0; jg; lea rdi, [rbp-x]; mov
    // esi, 2; call.
    [Theory]
    [InlineData("8B45C8FFC88945C8837DC8007F0E488D7DC8BE02000000FF15", -0x38)]
    [InlineData("8B45C8FFC88945C8837DC8007F0E488D4DC8BA02000000FF15", -0x38)]
    [InlineData("83BD78FFFFFF007F11488DBD78FFFFFFBE02000000FF15", -0x88)]
    [InlineData("837DC8007F0E488D7DC0BE02000000FF15", null)]
    [InlineData("837DC8017F0E488D7DC8BE02000000FF15", null)]
    [InlineData("837DC8", null)]
    public void It_is_what_is_compared_with_zero_and_handed_to_the_runtime(string code, int? expected)
        => Assert.Equal(expected, RoundCounter.In(Convert.FromHexString(code)));
}
