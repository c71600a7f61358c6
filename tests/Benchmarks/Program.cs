using HangTriage.Benchmarks;

return Options.Parse(args) is { } options ? Benchmarks.Run(options, Console.Out, Console.Error) : Options.Usage(Console.Error);
