using System.Buffers.Binary;
using HangTriage.Capture.Files;
using HangTriage.Facts;

namespace HangTriage.Capture.Windows.Minidump;

/// <summary>MINIDUMP_SYSTEM_INFO: the machine that the dump was made on.</summary>
/// <param name="Architecture">The architecture of contexts and addresses.</param>
/// <param name="Build">The build of Windows.</param>
/// <param name="Processors">0 where the writer did not say.</param>
internal sealed record MinidumpSystem(TargetArchitecture Architecture, uint Build, byte Processors)
{
    private const int Size = 24; // up to and with PlatformId
    private const uint PlatformWin32Nt = 2;

    /// <exception cref="TargetOpenException">The stream is missing, or the dump is not of Windows, or of a machine that is not read.</exception>
    public static MinidumpSystem Read(MappedFile file, MinidumpDirectory directory)
    {
        Span<byte> info = stackalloc byte[Size];
        if (!directory.TryGet(MinidumpStreamType.SystemInfo, out MinidumpStream stream))
        {
            throw new TargetOpenException("this minidump does not say which system it is of: it has no SystemInfo stream");
        }

        if (stream.Size < Size || !file.TryRead(stream.Offset, info))
        {
            throw new TargetOpenException(
                $"minidump SystemInfo stream: {stream.Size} bytes at 0x{stream.Offset:x}, expected {Size} within the file of {file.Length} bytes");
        }

        uint platform = BinaryPrimitives.ReadUInt32LittleEndian(info[20..]);
        if (platform != PlatformWin32Nt)
        {
            throw new TargetOpenException($"a minidump of {PlatformName(platform)}, not of Windows");
        }

        return new MinidumpSystem(
            ArchitectureOf(BinaryPrimitives.ReadUInt16LittleEndian(info)), BinaryPrimitives.ReadUInt32LittleEndian(info[16..]), info[6]);
    }

    private static TargetArchitecture ArchitectureOf(ushort processor) => processor switch
    {
        0 => TargetArchitecture.X86,
        5 => TargetArchitecture.Arm,
        9 => TargetArchitecture.X64,
        12 => TargetArchitecture.Arm64,
        _ => throw new TargetOpenException(
            $"minidump SystemInfo stream: ProcessorArchitecture {processor} is none of x86, x64, ARM and ARM64"),
    };

    // Breakpad and Crashpad write minidumps of other systems with these numbers (minidump_format.h).
    private static string PlatformName(uint platform) => platform switch
    {
        0x8000 => "Unix",
        0x8101 => "macOS",
        0x8102 => "iOS",
        0x8201 => "Linux",
        0x8202 => "Solaris",
        0x8203 => "Android",
        0x8204 => "PlayStation 3",
        0x8205 => "Native Client",
        0x8206 => "Fuchsia",
        _ => $"an unknown system (PlatformId 0x{platform:x})",
    };
}
