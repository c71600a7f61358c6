using HangTriage.Facts;
using HangTriage.Rules;
using HangTriage.Tests.Support.Facts;

namespace HangTriage.Tests.Unit.Rules;

/// <summary>Which tests a test host runs, on the stacks and async methods that real hosts show.</summary>
public sealed class RunningTestsTests
{
    private static readonly string[] s_invoked = ["System.RuntimeMethodHandle.InvokeMethod", "System.Reflection.MethodBaseInvoker.InvokeWithNoArgs", "System.Reflection.RuntimeMethodInfo.Invoke"];
    private static readonly FlowWait s_promise = new() { Kind = FlowWaitKind.Task, Address = new Address(0x7a00) };

    [Theory]
    [InlineData("Xunit.Sdk.TestInvoker<__Canon>.CallTestMethod")]
    [InlineData("Xunit.v3.TestRunner<__Canon, __Canon>.InvokeTest")]
    [InlineData("NUnit.Framework.Internal.Reflect.InvokeMethod")]
    [InlineData("Microsoft.VisualStudio.TestPlatform.MSTest.TestAdapter.Extensions.MethodInfoExtensions.InvokeAsSynchronousTask")]
    public void A_test_that_blocks_is_what_the_framework_calls_by_reflection(string framework)
        => Expect(["Shop.OrderTests.Posts"], Host().Thread(0x2000, ["System.Threading.Monitor.Enter", "Shop.Orders.Lock", "Shop.OrderTests.Posts", .. s_invoked, framework, "System.Threading.Thread.StartCallback"]));

    [Fact]
    public void A_test_that_blocks_is_what_generated_code_of_the_framework_calls()
        => Expect(["Shop.OrderTests.Posts"], Host().Thread(0x2000, "System.Threading.Monitor.Enter", "Shop.OrderTests.Posts", "TUnit.Generated.Shop_OrderTests__TestSource.__Invoke", "TUnit.Core.ExecutableTest<__Canon>.InvokeTestAsync"));

    [Fact]
    public void The_framework_itself_and_threads_that_it_does_not_call_are_no_tests()
        => Expect(
            [],
            Host().Thread(0x2000, "System.Threading.Monitor.Enter", "Shop.Orders.Lock", "System.Threading.Thread.StartCallback")
                .Thread(0x2001, ["System.Threading.Monitor.Wait", .. s_invoked, "Xunit.Sdk.TestInvoker<__Canon>.CallTestMethod"])
                .Thread(0x2002, "System.Threading.Monitor.Wait", "Shop.Fixture.Callback", "NUnit.Framework.Internal.Runner.Run")
                .Flow("Shop.Poller.RunAsync", s_promise)
                .Flow("Microsoft.Testing.Platform.Extensions.TestFramework.TestExecution.RunAsync", s_promise, 1, "Microsoft.VisualStudio.TestPlatform.MSTest.TestAdapter.Runner.RunAsync"));

    [Fact]
    public void A_test_that_is_suspended_is_what_the_framework_awaits_with_the_line_of_its_own_await()
        => Expect(
            ["Shop.OrderTests.Answers (App/Program.cs:11)"],
            Host().Flow("Shop.Client.AskAsync", s_promise, 1, "Shop.OrderTests.Answers", "Xunit.v3.TestRunner<__Canon>.RunTest")
                .Flow("Shop.OrderTests.Answers", s_promise with { Kind = FlowWaitKind.AsyncMethod }, 1, "Xunit.v3.TestRunner<__Canon>.RunTest"));

    [Theory]
    [InlineData("NUnit.Framework.Internal.TaskAwaitAdapter.BlockUntilCompleted", "Shop.OrderTests.Answers (App/Program.cs:11)")]
    [InlineData("Shop.Program.Main", null)]
    public void A_test_whose_task_blocks_a_thread_of_the_framework_is_the_outermost_method(string waiter, string? test)
        => Expect(
            test is null ? [] : [test],
            Host().Thread(0x2000, "System.Threading.Monitor.Wait", "System.Threading.Tasks.Task.InternalWait", waiter)
                .Flow(OnThread("Shop.Client.AskAsync", 10, "Shop.OrderTests.Answers")).Flow(OnThread("Shop.OrderTests.Answers", 11)));

    [Fact]
    public void What_the_runner_wrote_down_is_added_and_named_once()
    {
        ProcessSnapshot snapshot = Host().Thread(0x2000, ["Shop.OrderTests.Posts", .. s_invoked, "Xunit.Sdk.TestInvoker<__Canon>.CallTestMethod"]).Build();

        TriageResult result = Triage.Judge(Case.Of(snapshot) with { HungTests = [new TestFacts("Shop.OrderTests.Posts"), new TestFacts("Posts"), new TestFacts("Shop.OrderTests.Answers")] });

        Assert.Equal(["Shop.OrderTests.Posts", "Shop.OrderTests.Answers"], result.Tests.Select(test => test.ToString()));
    }

    private static SnapshotBuilder Host() => SnapshotBuilder.Linux().Thread(0x1000, "System.Threading.Monitor.Wait", "Shop.Program.Main");

    private static FlowGroup OnThread(string method, uint line, params string[] awaitedBy) => new()
    {
        Method = method, Await = 0, Count = 1, State = FlowState.Suspended, Waits = s_promise, AwaitedBy = awaitedBy, Source = new SourceLine("App/Program.cs", line),
        Root = FlowRoot.Thread, RootThread = new ThreadId(0x2000), Sample = new Address(0xb000 + line),
    };

    private static void Expect(IReadOnlyList<string> tests, SnapshotBuilder process)
        => Assert.Equal(tests, Triage.Judge(process.Build()).Tests.Select(test => test.ToString()));
}
