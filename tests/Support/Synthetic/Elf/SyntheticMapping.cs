namespace HangTriage.Tests.Support.Synthetic.Elf;

/// <summary>A range of memory that a process had mapped from a file.</summary>
public sealed record SyntheticMapping(ulong Address, int Pages, int FirstPage, string Path);
