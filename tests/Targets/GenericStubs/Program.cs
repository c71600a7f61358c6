using System.Runtime.CompilerServices;

namespace GenericStubs;

/// <summary>
/// A thread waits below a generic method that is called by its base type. Its arguments fill the registers, so the one more that names its
/// types is put in by a stub that the runtime makes, with a frame of its own.
/// </summary>
internal static class Program
{
    private static void Main()
    {
        Console.WriteLine($"READY pid={Environment.ProcessId} runtime={Environment.Version}");
        Step step = new Bridge<Uri>(new Bridge<string>(next: null));
        Outcome<string> outcome = step.Run<string, (string, string)>(
            static (text, with) => new(Rest(text + with), 1, 2, 3), "text", ("with", "state"));
        Console.WriteLine(outcome.Result);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static string Rest(string name)
    {
        Thread.Sleep(Timeout.Infinite);
        return name;
    }

    private readonly record struct Outcome<T>(T Result, long One, long Two, long Three);

    private abstract class Step
    {
        public abstract Outcome<TResult> Run<TResult, TState>(Func<string, TState, Outcome<TResult>> last, string text, TState state);
    }

    private sealed class Bridge<T>(Step? next) : Step
    {
        [MethodImpl(MethodImplOptions.NoInlining)]
        public override Outcome<TResult> Run<TResult, TState>(Func<string, TState, Outcome<TResult>> last, string text, TState state)
            => (next is null ? last(text + typeof(T).Name, state) : next.Run(last, text, state)) with { One = 7 };
    }
}
