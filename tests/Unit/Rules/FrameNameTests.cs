using HangTriage.Rules.Observing;

namespace HangTriage.Tests.Unit.Rules;

/// <summary>The names on the left are as the compilers of C#, F#, Visual Basic and C write them.</summary>
public sealed class FrameNameTests
{
    [Theory]
    [InlineData("App.Account.Move(App.Account, System.Collections.Generic.List`1<Int32>)", "App.Account.Move")]
    [InlineData("App.Cache`2[[System.Int32, System.Private.CoreLib],[System.__Canon, System.Private.CoreLib]].Load(Int32)", "App.Cache.Load")]
    [InlineData("App.Cache<System.Int32>.Load<System.String>", "App.Cache.Load")]
    [InlineData("App.Outer+Inner.Run()", "App.Outer.Inner.Run")]
    [InlineData("App.Program.<Main>$(System.String[])", "App.Program.Main")]
    [InlineData("Program.<Main>(System.String[])", "Program.Main")]
    [InlineData("App.Feed+<ReadAsync>d__12.MoveNext()", "App.Feed.ReadAsync")]
    [InlineData("App.Feed+<ReadAsync>d__3`1[[System.__Canon, System.Private.CoreLib]].MoveNext()", "App.Feed.ReadAsync")]
    [InlineData("App.Feed+<Items>d__1.System.Collections.IEnumerator.MoveNext()", "App.Feed.Items")]
    [InlineData("App.Program+<>c.<Main>b__0_1(System.Object)", "App.Program.Main.lambda")]
    [InlineData("App.Program+<>c__DisplayClass4_0.<Run>b__2()", "App.Program.Run.lambda")]
    [InlineData("App.Program+<>c+<<Main>b__0_0>d.MoveNext()", "App.Program.Main.lambda")]
    [InlineData("App.Server.<RunAsync>b__3_0", "App.Server.RunAsync.lambda")]
    [InlineData("App.Server.<Serve>g__Handle|3_0(Int32)", "App.Server.Serve.Handle")]
    [InlineData("App.Server+<<Serve>g__HandleAsync|3_0>d.MoveNext()", "App.Server.Serve.HandleAsync")]
    [InlineData("App.Account..ctor(Int32)", "App.Account..ctor")]
    [InlineData("App.Bag.System.Collections.Generic.IEnumerable<T>.GetEnumerator()", "App.Bag.System.Collections.Generic.IEnumerable.GetEnumerator")]
    [InlineData("App.Orders+VB$StateMachine_4_LoadAsync.MoveNext()", "App.Orders.LoadAsync")]
    [InlineData("App.Orders+_Closure$__1-0._Lambda$__0()", "App.Orders.lambda")]
    [InlineData("App.Orders+load@17-3.Invoke(System.Object)", "App.Orders.load.Invoke")]
    [InlineData("", "")]
    [InlineData("<", "<")]
    [InlineData("a[[b", "a")]
    public void A_method_is_named_as_it_was_written(string compiled, string written)
        => Assert.Equal(written, FrameName.OfMethod(compiled));

    [Theory]
    [InlineData("work", "work")]
    [InlineData("_work@8", "work")]
    [InlineData("work@@APP_2.1", "work")]
    [InlineData("work@plt", "work")]
    [InlineData("work.constprop.0", "work")]
    [InlineData("work.part.3.cold", "work")]
    [InlineData("app::Cache::load(int, std::string const&)", "app::Cache::load")]
    [InlineData("app::cache::load::h0123456789abcdef", "app::cache::load")]
    [InlineData("?load@Cache@app@@QEAAXXZ", "?load@Cache@app@@QEAAXXZ")]
    [InlineData("_init", "_init")]
    [InlineData("", "")]
    public void A_function_loses_what_compiler_and_linker_add(string symbol, string name)
        => Assert.Equal(name, FrameName.OfFunction(symbol));

    [Theory]
    [InlineData("MKL_Core.dll", "mkl_core")]
    [InlineData("/usr/lib/x86_64-linux-gnu/libfoo.so.1.2.3", "libfoo")]
    [InlineData("libfoo-2.31.so", "libfoo")]
    [InlineData("C:\\app\\App.exe", "app")]
    [InlineData("my-app", "my-app")]
    [InlineData("App.Core.dll", "app.core")]
    [InlineData("", "")]
    public void A_module_loses_its_version_and_suffix(string file, string name)
        => Assert.Equal(name, FrameName.OfModule(file));
}
