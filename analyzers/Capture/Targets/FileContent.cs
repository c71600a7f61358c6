namespace HangTriage.Capture.Targets;

/// <summary>What a file holds, by its first bytes.</summary>
internal enum FileContent
{
    Minidump,
    ElfCore,

    /// <summary>JSON, which may be a facts file.</summary>
    Json,
    Gzip,
    Zip,
    Tar,
    Zstd,
    Xz,
    Lz4,

    /// <summary>Something that is not read; <see cref="FileSniffer"/> says what.</summary>
    Other,
}
