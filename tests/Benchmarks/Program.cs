using HangTriage.Benchmarks;

return args is [BareWalk.Command, string path] ? BareWalk.Run(path, Console.Out)
    : Options.Parse(args) is { } options ? Benchmarks.Run(options, Console.Out, Console.Error) : Options.Usage(Console.Error);
