namespace Truth;

/// <summary>Runs the program whose name is the first argument, on the first thread, as a program of its own would.</summary>
internal static class Program
{
    private static Task Main(string[] args)
    {
        if (args is [string name, ..] && Children.Child.Roles.TryGetValue(name, out Action<string[]>? role))
        {
            Children.Child.EndWithParent();
            role(args[1..]);
            return Task.CompletedTask;
        }

        return args is [string program] && Catalog.Programs.TryGetValue(program, out Func<Task>? run)
            ? run()
            : throw new ArgumentException($"one of: {string.Join(", ", Catalog.Programs.Keys.Order(StringComparer.Ordinal))}");
    }
}
