namespace HangTriage.Tests.Support.Synthetic;

/// <summary>The streams that the writer knows, by their number in the directory.</summary>
public enum MinidumpStream
{
    ThreadList = 3,
    ModuleList = 4,
    MemoryList = 5,
    SystemInfo = 7,
    Memory64List = 9,
    HandleData = 12,
    MiscInfo = 15,
    MemoryInfoList = 16,
    ThreadInfoList = 17,
    ThreadNames = 24,
}
