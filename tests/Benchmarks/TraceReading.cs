namespace HangTriage.Benchmarks;

/// <summary>What reading a trace of 1 GB takes, beside a walk that decodes nothing and beside <c>cat</c>.</summary>
internal static class TraceReading
{
    public static void Measure(bool isCompressed, int pairs, TextWriter output, TextWriter progress)
    {
        string name = isCompressed ? "big-packed.etl" : "big.etl";
        string path = Path.Combine(Directory.CreateDirectory(Path.Combine(Benchmarks.Folder, "traces")).FullName, name);
        if (!File.Exists(path))
        {
            progress.WriteLine($"making {name}");
            BigTrace.Write(path + ".new", isCompressed);
            File.Move(path + ".new", path);
        }

        PublishedTool.Make(progress);
        progress.WriteLine($"{name}: {pairs} pairs");
        WholeProcess ours = PublishedTool.Trace(path);
        Comparison.Run(ours, new WholeProcess([Environment.ProcessPath!, typeof(TraceReading).Assembly.Location, BareWalk.Command, path], LastGoodCode: 0), pairs)
            .Write(name, path, "bare walk", output);
        Comparison.Run(ours, new WholeProcess(["/bin/sh", "-c", "cat \"$0\" >/dev/null", path], LastGoodCode: 0), pairs)
            .Write(name, path, "cat", output);
    }
}
