namespace HangTriage.Facts;

/// <summary>The thin layers through which a program of Windows reaches a system call.</summary>
public static class SystemLayers
{
    private static readonly string[] s_modules = ["ntdll.dll", "kernelbase.dll", "kernel32.dll", "win32u.dll"];

    public static bool Contain(FrameFacts frame)
    {
        ArgumentNullException.ThrowIfNull(frame);
        foreach (string module in s_modules)
        {
            if (string.Equals(frame.Module, module, StringComparison.OrdinalIgnoreCase))
            {
                return true;
            }
        }

        return false;
    }
}
