namespace Truth.Children;

/// <summary>A tool that writes much, and ends when it has written it.</summary>
internal static class Chatty
{
    private const int Lines = 20_000;

    public static void Run(string[] args)
    {
        for (int line = 0; line < Lines; line++)
        {
            Console.WriteLine($"converted page {line} of {Lines}");
        }
    }
}
