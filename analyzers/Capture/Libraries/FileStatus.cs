using System.Buffers.Binary;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using Microsoft.Win32.SafeHandles;

namespace HangTriage.Capture.Libraries;

/// <summary>What Linux says of a file, folder or link itself.</summary>
/// <param name="Owner">The id of its user.</param>
/// <param name="Mode">Its kind and its permissions (st_mode).</param>
[SupportedOSPlatform("linux")]
internal sealed partial record FileStatus(uint Owner, int Mode)
{
    private const int Here = -100;
    private const int DoNotFollow = 0x100;
    private const int OfHandleItself = 0x1000;
    private const uint BasicFields = 0x7FF;
    private const int KindMask = 0xF000;

    // struct statx: the same on every architecture, unlike struct stat.
    private const int StatusSize = 256;
    private const int OwnerOffset = 20;
    private const int ModeOffset = 28;

    public bool IsFolder => (Mode & KindMask) == 0x4000;

    public bool IsFile => (Mode & KindMask) == 0x8000;

    public bool IsPipe => (Mode & KindMask) == 0x1000;

    public bool IsLink => (Mode & KindMask) == 0xA000;

    /// <summary>Group or everybody. An access control list that lets anybody else write shows as the group's permission.</summary>
    public bool OthersCanWrite => (Mode & (int)(UnixFileMode.GroupWrite | UnixFileMode.OtherWrite)) != 0;

    public bool EverybodyCanWrite => (Mode & (int)UnixFileMode.OtherWrite) != 0;

    public static uint CurrentUser => EffectiveUser();

    /// <summary>Of a link itself. Null where there is nothing, or it cannot be asked.</summary>
    public static FileStatus? Of(string path) => Of(path, DoNotFollow);

    /// <summary>Of what a path leads to.</summary>
    public static FileStatus? AtEndOf(string path) => Of(path, flags: 0);

    /// <summary>Of what is open, whatever its name leads to by now.</summary>
    public static FileStatus? OfHandle(SafeFileHandle file)
    {
        bool isHeld = false;
        try
        {
            file.DangerousAddRef(ref isHeld);
            return Of((int)file.DangerousGetHandle(), string.Empty, OfHandleItself);
        }
        finally
        {
            if (isHeld)
            {
                file.DangerousRelease();
            }
        }
    }

    private static FileStatus? Of(string path, int flags) => Of(Here, path, flags);

    private static FileStatus? Of(int folder, string path, int flags)
    {
        byte[] status = new byte[StatusSize];
        try
        {
            return Query(folder, path, flags, BasicFields, status) == 0
                ? new FileStatus(
                    BinaryPrimitives.ReadUInt32LittleEndian(status.AsSpan(OwnerOffset)),
                    BinaryPrimitives.ReadUInt16LittleEndian(status.AsSpan(ModeOffset)))
                : null;
        }
        catch (EntryPointNotFoundException)
        {
            // A C library from before 2018.
            return null;
        }
    }

    [LibraryImport("libc", EntryPoint = "statx", StringMarshalling = StringMarshalling.Utf8)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static partial int Query(int folder, string path, int flags, uint mask, byte[] status);

    [LibraryImport("libc", EntryPoint = "geteuid")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static partial uint EffectiveUser();
}
