using Samples;

namespace LostSignal;

/// <summary>Main waits for five loaders; one leaves before it has signalled. See README.md.</summary>
internal static class Program
{
    private static void Main()
    {
        Thread.CurrentThread.Name = "main";
        Stage.ReadyWhenCallerWaits();
        LoadAll(5);
    }

    private static void LoadAll(int files)
    {
        using CountdownEvent left = new(files);
        for (int i = 0; i < files; i++)
        {
            int file = i;
            Stage.Start($"load-{file}", () => Load(file, left));
        }

        left.Wait();
    }

    private static void Load(int file, CountdownEvent left)
    {
        if (file != 3)
        {
            left.Signal();
        }
    }
}
