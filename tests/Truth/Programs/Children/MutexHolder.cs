namespace Truth.Children;

/// <summary>Takes a mutex of the whole machine and keeps it.</summary>
internal static class MutexHolder
{
    public const string Global = @"Global\";

    public static void Run(string[] arguments)
    {
        using Mutex mutex = new(initiallyOwned: true, Global + arguments[0]);
        Child.Say(arguments[^1], "taken");
        Thread.Sleep(Timeout.Infinite);
    }
}
