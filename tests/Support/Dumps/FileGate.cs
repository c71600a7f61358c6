namespace HangTriage.Tests.Support.Dumps;

/// <summary>Lets one test at a time do a piece of work, also where test assemblies run side by side.</summary>
public static class FileGate
{
    /// <summary>The gate is open again when the result is disposed.</summary>
    public static async Task<FileStream> EnterAsync(string path, CancellationToken cancellation)
    {
        while (true)
        {
            try
            {
                return new FileStream(path, FileMode.OpenOrCreate, FileAccess.ReadWrite, FileShare.None);
            }
            catch (IOException)
            {
                await Task.Delay(TimeSpan.FromMilliseconds(100), cancellation);
            }
        }
    }
}
