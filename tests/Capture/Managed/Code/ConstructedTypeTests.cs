using HangTriage.Capture.Managed.Code;

namespace HangTriage.Tests.Capture.Managed.Code;

/// <summary>Types with what they are made of, as the heap names them and as instructions do.</summary>
public sealed class ConstructedTypeTests
{
    [Theory]
    [InlineData("System.Action<System.Int32>", "System.Action<Int32>", true)]
    [InlineData("System.Action<System.Int32>", "System.Action<Int64>", false)]
    [InlineData("System.EventHandler<App.Feed+RingEventArgs>", "System.EventHandler<App.Feed+RingEventArgs>", true)]
    [InlineData("System.EventHandler<App.RingEventArgs>", "System.EventHandler<App.StrikeEventArgs>", false)]
    [InlineData(
        "System.Func<App.Order, System.Threading.Tasks.Task<System.Int32>>",
        "System.Func<App.Order,System.Threading.Tasks.Task<Int32>>",
        true)]
    [InlineData("System.Func<App.Order, System.Boolean>", "System.Func<App.Order,System.Threading.Tasks.Task<Boolean>>", false)]
    [InlineData("System.Action<App.Order>", "System.Action<*>", true)]
    [InlineData("System.Action<App.Order, System.Int32>", "System.Action<*>", false)]
    [InlineData("System.Action<System.Object>", "System.Action<String>", true)]
    [InlineData("System.Action<System.__Canon>", "System.Action<App.Order>", true)]
    [InlineData("System.Action<App.Page[]>", "System.Action<App.Page[]>", true)]
    [InlineData("App.Blown", "App.Blown", true)]
    [InlineData("App.Blown", "App.Struck", false)]
    [InlineData("System.Threading.Tasks.TaskCompletionSource", "System.Threading.Tasks.TaskCompletionSource<Int32>", false)]
    public void A_call_fits_an_object_whose_type_it_may_name(string ofHeap, string ofInstructions, bool fits)
        => Assert.Equal(fits, ConstructedType.Of(ofHeap).Fits(ConstructedType.Of(ofInstructions)));
}
