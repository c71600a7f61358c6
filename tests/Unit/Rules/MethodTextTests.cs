using HangTriage.Rules.Threads;

namespace HangTriage.Tests.Unit.Rules;

public sealed class MethodTextTests
{
    [Theory]
    [InlineData("App.Window.WorkAsync", "Window.WorkAsync")]
    [InlineData("App.Window..ctor", "Window..ctor")]
    [InlineData("App.Window+Row.Paint", "Row.Paint")]
    [InlineData("App.Store<System.Int32>.Get", "Store<System.Int32>.Get")]
    [InlineData("App.Window.Load[[System.__Canon, System.Private.CoreLib]]", "Window.Load")]
    [InlineData("App.Window+<>c.<Open>b__4_0", "a lambda of Window.Open")]
    [InlineData("App.Window.<Open>g__Check|4_0", "Window.Open's Check")]
    [InlineData("App.Window+<WorkAsync>d__4.MoveNext", "Window.WorkAsync")]
    [InlineData("App.Window+<>c+<<Open>b__4_0>d.MoveNext", "a lambda of Window.Open")]
    [InlineData("App.Numbers.MoveNext", "Numbers.MoveNext")]
    [InlineData("App.Cost.<Parent>k__BackingField", "Cost.Parent")]
    [InlineData("Program.<Main>$", "Program.Main")]
    [InlineData("App.Program.<Main>", "Program.Main")]
    [InlineData("Program+<<Main>$>d__0.MoveNext", "Program.Main")]
    [InlineData("Program.<<Main>$>g__Inner|0_4", "Program.Main's Inner")]
    [InlineData("Program+<>c__DisplayClass0_2+<<<Main>$>g__Outer|5>d.MoveNext", "Program.Main's Outer")]
    [InlineData("Program+<>c.<<Main>$>b__0_1", "a lambda of Program.Main")]
    [InlineData("Start", "Start")]
    [InlineData("App.<", "App.<")]
    public void Methods_are_called_what_people_call_them(string method, string text) => Assert.Equal(text, MethodText.Short(method));
}
