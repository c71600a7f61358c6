using HangTriage.Verdicts;

const int wrongUsage = 64;

switch (args)
{
    case [ToolHost.Command, string assembly, string pipe]:
        return ToolHost.Run(assembly, pipe);
    case ["make", string store]:
        return await new SampleDumps(store, Console.Out).MakeAsync();
    case ["save", string store, string tool, string folder]:
        return SavedReports.Save(new Store(store), tool, folder, Console.Out);
    case ["compare", string store, string before, string after]:
        return Comparison.Run(new Store(store), before, after, Console.Out);
    case ["losses", string dump, string tool]:
        return Losses.Run(dump, tool, Path.GetTempPath(), Console.Out, []);
    case ["losses", string dump, string tool, string folder, .. string[] parts]:
        return Losses.Run(dump, tool, folder, Console.Out, parts);
    default:
        Console.Error.WriteLine("""
            usage: make STORE                      dumps of every sample in every kind, and the real ones
                   save STORE TOOL FOLDER          every dump's reports of that build of the tool, as JSON and as text
                   compare STORE BEFORE AFTER      what differs between two builds; each is a tool, or a folder that save made
                   losses DUMP TOOL [FOLDER [PART ...]]
                                                   the tool on the dump without each of its parts; a copy goes into the folder
            TOOL is the program or its triage.dll. See README.md beside this file.
            """);
        return wrongUsage;
}
