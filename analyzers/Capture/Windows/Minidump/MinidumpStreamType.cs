namespace HangTriage.Capture.Windows.Minidump;

/// <summary>MINIDUMP_STREAM_TYPE of minidumpapiset.h, as far as it is read.</summary>
internal enum MinidumpStreamType : uint
{
    ThreadList = 3,
    ModuleList = 4,
    MemoryList = 5,
    Exception = 6,
    SystemInfo = 7,
    ThreadExList = 8,
    Memory64List = 9,
    HandleData = 12,
    MiscInfo = 15,
    ThreadInfoList = 17,
    ThreadNames = 24,
}
