namespace HangTriage.Tests.Support.Synthetic;

/// <summary>
/// One MINIDUMP_HANDLE_OBJECT_INFORMATION: its MINIDUMP_HANDLE_OBJECT_INFORMATION_TYPE (1 thread, 2 and 3 mutant,
/// 4 and 5 process, 6 event, 7 section, 8 semaphore) and the bytes that follow the record.
/// </summary>
public sealed record SyntheticHandleInfo(uint Type, byte[] Data);
