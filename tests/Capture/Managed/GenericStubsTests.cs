using HangTriage.Facts;
using HangTriage.Tests.Support.Dumps;

namespace HangTriage.Tests.Capture.Managed;

/// <summary>Stubs that the runtime makes for generic methods stand on the stack, and have no instructions of a module.</summary>
public sealed class GenericStubsTests
{
    [Theory]
    [InlineData(TargetFramework.Net8)]
    [InlineData(TargetFramework.Net10)]
    public async Task A_stack_with_a_stub_of_a_generic_method_is_read_to_its_end(TargetFramework framework)
    {
        ProcessSnapshot snapshot = Cores.Read(await Cores.TargetAsync("GenericStubs", framework));

        StackFacts stack = snapshot.Threads.Value.Single(thread => thread.ManagedId == 1).Stack;

        Assert.Equal(2, stack.Frames.Count(frame => frame.Method?.Contains(".Run", StringComparison.Ordinal) == true));
        Assert.Equal("GenericStubs.Program.Main", stack.Frames[^1].Method);
    }
}
