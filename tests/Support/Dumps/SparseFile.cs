using System.ComponentModel;
using System.Diagnostics;

namespace HangTriage.Tests.Support.Dumps;

/// <summary>Dumps are mostly zeros: a core of 550 MB takes 85 MB of the disk once its zeros are holes.</summary>
public static class SparseFile
{
    /// <summary>Gives the blocks of the file that hold only zeros back to the disk; what is read stays the same. Does nothing where the system cannot.</summary>
    public static void DigHoles(string file)
    {
        try
        {
            using Process tool = Process.Start(new ProcessStartInfo("fallocate", ["--dig-holes", file]) { RedirectStandardError = true })!;
            tool.StandardError.ReadToEnd();
            tool.WaitForExit();
        }
        catch (Win32Exception)
        {
            // There is no such program: the file stays as large as it is.
        }
    }
}
