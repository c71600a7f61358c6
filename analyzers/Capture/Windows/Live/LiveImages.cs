namespace HangTriage.Capture.Windows.Live;

/// <summary>
/// Finds the images of a process by what is mapped, and not by the loader's own list: the loader can be what hangs, and its
/// list then half changed.
/// </summary>
internal static unsafe class LiveImages
{
    private const int LongestPath = 32_768;
    private const int LongestDevice = 1_024;

    // The longer form of paths of the kernel, and what a path on the network starts with there.
    private const string NtPrefix = @"\??\";
    private const string NetworkDevice = @"\Device\Mup\";

    /// <param name="process">A handle that may query it.</param>
    /// <param name="map">Its memory.</param>
    /// <param name="limit">As many images as are listed.</param>
    public static IReadOnlyList<LiveImage> Of(nint process, RegionMap map, int limit)
    {
        IReadOnlyList<(string Device, string Drive)> drives = Drives();
        return
        [
            .. map.All.Where(region => region.IsImage && region.Start == region.AllocationStart)
                .Take(limit)
                .Select(region => new LiveImage(region.Start, OfDrive(PathOf(process, region.Start), drives))),
        ];
    }

    /// <summary>A path as programs write it, of one as the kernel does.</summary>
    public static string OfDrive(string path, IReadOnlyList<(string Device, string Drive)> drives)
    {
        if (path.StartsWith(NtPrefix, StringComparison.Ordinal))
        {
            return path[NtPrefix.Length..];
        }

        if (path.StartsWith(NetworkDevice, StringComparison.OrdinalIgnoreCase))
        {
            return @"\\" + path[NetworkDevice.Length..];
        }

        foreach ((string device, string drive) in drives)
        {
            if (path.StartsWith(device + '\\', StringComparison.OrdinalIgnoreCase))
            {
                return drive + path[device.Length..];
            }
        }

        return path;
    }

    private static string PathOf(nint process, ulong address)
    {
        char[] path = new char[LongestPath];
        fixed (char* start = path)
        {
            uint length = WindowsCalls.GetMappedFileName(process, address, start, LongestPath);
            return new string(path, 0, (int)Math.Min(length, LongestPath));
        }
    }

    private static IReadOnlyList<(string Device, string Drive)> Drives()
    {
        List<(string, string)> drives = [];
        char* device = stackalloc char[LongestDevice];
        for (char letter = 'A'; letter <= 'Z'; letter++)
        {
            string drive = $"{letter}:";
            fixed (char* name = drive)
            {
                if (WindowsCalls.QueryDosDevice(name, device, LongestDevice) > 0)
                {
                    drives.Add((new string(device), drive));
                }
            }
        }

        return drives;
    }
}
