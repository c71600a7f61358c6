// What .NET itself says of dumps, by ClrMD alone. Numbers are hexadecimal, and tabs part the fields of a line.
// ManagedFrames DUMP DAC: a line a frame: thread id, instruction, stack pointer, name or ?. Markers of the runtime have no
// instruction of their own.
// ManagedFrames --state DUMP...: what StateFacts.Parse reads; the DAC is the one beside the runtime that the dump names.
using HangTriage.Tests.Lab.Tools;

switch (args)
{
    case ["--state", _, ..]:
        foreach (string dump in args[1..])
        {
            DumpState.Print(dump, Console.Out);
        }

        return 0;
    case [string dump, string dac]:
        DumpFrames.Print(dump, dac, Console.Out);
        return 0;
    default:
        Console.Error.WriteLine("usage: ManagedFrames DUMP DAC | ManagedFrames --state DUMP...");
        return 64;
}
